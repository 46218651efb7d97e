// Which endpoints do not get an event because of their filters (behaviour W69).
import { setImmediate } from 'node:timers/promises';
import { remember } from '../delivering/remember.ts';
import type { Subscriber } from '../endpoints/store.ts';
import { readFilter } from '../filters/filter.ts';
import type { NewEvent } from './store.ts';

/** Characters of data and filters between two turns of the event loop: some milliseconds. */
const atOnce = 64 * 1024;
const compiled = remember(500, (text) => readFilter(JSON.parse(text)));

export const wants = ({ environment, event_types }: Subscriber, event: NewEvent): boolean =>
  environment === event.environment && (event_types?.includes(event.type) ?? true);

/** Sets `filtered_for`. Each distinct filter decides once on an event, and data is parsed for filters only. */
export async function applyFilters(
  events: readonly NewEvent[],
  subscribers: ReadonlyMap<string, readonly Subscriber[]>,
  { pause = () => setImmediate() }: { pause?: () => Promise<unknown> } = {},
): Promise<void> {
  const filters = new Map([...subscribers].map(([partnerId, all]) => [partnerId, byFilter(all)]));
  let work = 0;
  for (const event of events) {
    let data: { data: unknown } | undefined;
    const filteredFor: string[] = [];
    for (const [text, endpoints] of filters.get(event.partner_id) ?? []) {
      const wanting = endpoints.filter((endpoint) => wants(endpoint, event));
      if (wanting.length === 0) continue;
      work += text.length + (data ? 0 : event.body.length);
      data ??= JSON.parse(event.body) as { data: unknown };
      if (!compiled(text).matches(data.data)) filteredFor.push(...wanting.map(({ id }) => id));
      if (work < atOnce) continue;
      await pause();
      work = 0;
    }
    if (filteredFor.length > 0) event.filtered_for = filteredFor;
  }
}

const byFilter = (subscribers: readonly Subscriber[]): Map<string, Subscriber[]> => {
  const filtering = subscribers.filter(({ filter }) => filter !== null);
  return Map.groupBy(filtering, ({ filter }) => filter ?? '');
};

/** How many events each endpoint did not get. */
export function countFiltered(
  events: readonly NewEvent[],
): { partnerId: string; endpointId: string; at: Date; count: number }[] {
  const counts = new Map<string, { partnerId: string; endpointId: string; at: Date; count: number }>();
  for (const { partner_id: partnerId, created_at: at, filtered_for } of events)
    for (const endpointId of filtered_for ?? []) {
      const known = counts.get(endpointId);
      if (known) known.count++;
      else counts.set(endpointId, { partnerId, endpointId, at, count: 1 });
    }
  return [...counts.values()];
}

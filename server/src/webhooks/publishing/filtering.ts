// Which endpoints do not get an event because of their filters (behaviour W69).
import { setImmediate } from 'node:timers/promises';
import { remember } from '../../base/keep-last.ts';
import type { Subscriber } from '../endpoints/store.ts';
import { readFilter } from '../filters/filter.ts';
import type { Filtered } from '../statistics/index.ts';
import type { NewEvent } from './store.ts';

/** Characters of data and filters between two turns of the event loop: some milliseconds. */
const atOnce = 64 * 1024;
/** A later version has stored it (I7). */
export class UnreadableFilter extends Error {}
const compiled = remember(500, (text) => {
  try {
    return readFilter(JSON.parse(text));
  } catch (cause) {
    throw new UnreadableFilter('This version cannot read the filter of an endpoint', { cause });
  }
});

export const wants = ({ environment, event_types }: Subscriber, event: NewEvent) =>
  environment === event.environment && (event_types?.includes(event.type) ?? true);

/** Sets `filtered_for`. Each distinct filter decides once on an event, and data is parsed for filters only. */
export async function applyFilters(
  events: readonly NewEvent[],
  subscribers: ReadonlyMap<string, readonly Subscriber[]>,
  { pause = () => setImmediate() }: { pause?: () => Promise<unknown> } = {},
): Promise<void> {
  const filters = new Map(
    [...subscribers].map(([partnerId, all]) => {
      const filtering = all.filter(({ filter }) => filter !== null);
      return [partnerId, Map.groupBy(filtering, ({ filter }) => filter ?? '')];
    }),
  );
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

/** How many events each endpoint did not get. */
export function countFiltered(events: readonly NewEvent[]): Filtered[] {
  const counts = new Map<string, Filtered>();
  for (const { partner_id: partnerId, created_at: at, filtered_for } of events)
    for (const endpointId of filtered_for ?? []) {
      const known = counts.get(endpointId);
      if (known) known.count++;
      else counts.set(endpointId, { partnerId, endpointId, at, count: 1 });
    }
  return [...counts.values()];
}

// `concord events tail`: the events of the partner, as they are published.
import { type Concord, ConcordError, type Event, items, listEvents } from '@concord/client';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { paint } from '../output.ts';
import { pause } from '../pause.ts';
import { visibleJson } from '../visible.ts';

const everyMs = 2_000;
/** After Concord could not be reached. */
const afterLossMs = 5_000;

export const eventsTail: Command = {
  path: ['events', 'tail'],
  summary: 'Show events as they are published',
  details: 'Reads the feed, which misses no event. Ends with Ctrl-C.',
  options: [
    { flags: '--since <id>', description: 'begins after this event; default: after the last one' },
    { flags: '--type <name>', description: 'only events of this type' },
    { flags: '--environment <name>', description: 'live or sandbox' },
    { flags: '--limit <count>', description: 'ends after so many events' },
  ],
  example: 'concord events tail --type inventory.updated --json',
  atEnd: 'done',
  async run(context) {
    const { input, io } = context;
    const client = context.client();
    const id = context.partner();
    const limit = input.integer('limit', 1_000_000_000) ?? Number.POSITIVE_INFINITY;
    const query = filters(context);
    let last = input.optionalId('since', 'evt') ?? (await findLast(client, id, io.ended));
    let shown = 0;
    context.out.note('Waiting for events. Press Ctrl-C to end.');
    while (!io.ended.aborted) {
      const options = {
        client,
        path: { id },
        query: { ...query, ...(last === null ? {} : { page_from: last }) },
        signal: io.ended,
      };
      const waitMs = await readOnce(context, items(listEvents, options), (event) => {
        last = event.id;
        show(context, event);
        return ++shown >= limit;
      });
      if (waitMs === null) break;
      await pause(waitMs, io.ended);
    }
  },
};

/** The filters of the feed, in its order. */
function filters({ input }: Context) {
  const type = input.text('type');
  const environment = input.choice('environment', ['live', 'sandbox']);
  return {
    sort_dir: 'asc' as const,
    ...(type && { 'filter[type]': type }),
    ...(environment && { 'filter[environment]': environment }),
  };
}

async function findLast(client: Concord, id: string, signal: AbortSignal): Promise<string | null> {
  const query = { sort_dir: 'desc', page_size: 1 } as const;
  const [newest] = await listEvents({ client, path: { id }, query, signal });
  return newest?.id ?? null;
}

/** `take` returns true for the last event to read. How long to wait, in milliseconds. null: it is the end. */
async function readOnce(
  { io, out }: Context,
  events: AsyncIterable<Event>,
  take: (event: Event) => boolean,
): Promise<number | null> {
  try {
    for await (const event of events) if (take(event)) return null;
    return everyMs;
  } catch (error) {
    if (io.ended.aborted) return null;
    const isPassing = error instanceof ConcordError && (error.status === null || error.status >= 429);
    if (!isPassing) throw error;
    out.note(`${error.message.replace(/\.$/, '')}. Trying again.`);
    return afterLossMs;
  }
}

function show({ out }: Context, event: Event): void {
  if (out.isJson) out.jsonLine(event);
  else
    out.line(
      paint('dim', event.created_at),
      `  ${event.type}  ${event.environment}  `,
      paint('dim', event.id),
      `  ${visibleJson(event.data)}`,
    );
}

// Compares a checkpoint with what was received, and fetches what is missing.
import { type Checkpoint, type VerifyCheckpointOptions, verifyCheckpoint } from './checkpoint.ts';
import { type ApiOptions, readApi } from './concord-api.ts';
import { WebhookError } from './errors.ts';
import type { WebhookEvent } from './events.ts';
import { merkleRoot } from './merkle-root.ts';

/** Whether an event was received, by its id: a `Set` or a `Map`, or a function that asks your store. */
export type Have =
  | { readonly has: (eventId: string) => boolean | Promise<boolean> }
  | ((eventId: string) => boolean | Promise<boolean>);

const askerOf = (have: Have) => (typeof have === 'function' ? have : (id: string) => have.has(id));

/** The ids of events that were not received. */
export type Missing = {
  /** Concord has delivered them, or tried and failed: they do not come any more by themselves. */
  readonly lost: readonly string[];
  /** They are on their way. */
  readonly pending: readonly string[];
};

/**
 * Returns which events of a checkpoint were not received. It reads the list of the checkpoint, and proves with the
 * signed root that the list is complete, before it asks `have`.
 *
 * @throws {WebhookError} `checkpoint_mismatch` when the list has not the signed root; `api_unavailable`
 * @example
 * const { lost } = await missing(checkpoint, (id) => store.has(id), { url: 'https://concord.example.com', token });
 */
export async function missing(checkpoint: Checkpoint, have: Have, api: ApiOptions): Promise<Missing> {
  const list = await readList(checkpoint, api);
  const has = askerOf(have);
  const [lost, pending]: [string[], string[]] = [[], []];
  for (const { event_id, status } of list)
    if (!(await has(event_id))) (status === 'pending' ? pending : lost).push(event_id);
  return { lost, pending };
}

/**
 * Fetches events by their ids, one after the other.
 *
 * @throws {WebhookError} `api_unavailable`
 * @example
 * for await (const event of fetchMissing(checkpoint, lost, { url: 'https://concord.example.com', token })) await handle(event);
 */
export async function* fetchMissing<Event extends WebhookEvent = WebhookEvent>(
  { partner_id }: Checkpoint,
  eventIds: Iterable<string>,
  api: ApiOptions,
): AsyncGenerator<Event, void, undefined> {
  for (const eventId of eventIds) {
    const { body } = await readApi(api, `/partners/${partner_id}/events/${encodeURIComponent(eventId)}`);
    const { id, type, created_at, environment, data } = body as WebhookEvent;
    yield { id, type, created_at, partner_id, environment, data } as Event;
  }
}

/**
 * Returns the checkpoints before this one that were not seen, the oldest first: those whose webhooks were lost. It
 * follows `previous_id` until `seen` knows a checkpoint, or the chain begins.
 *
 * @throws {WebhookError} as `verifyCheckpoint`; `api_unavailable`, also for a checkpoint that is no longer kept
 * @example
 * const all = [...(await unseenCheckpoints(checkpoint, (id) => store.hasCheckpoint(id), { ...api, keys, partnerId })), checkpoint];
 */
export async function unseenCheckpoints(
  { partner_id, endpoint_id, previous_id }: Checkpoint,
  seen: Have,
  options: ApiOptions & VerifyCheckpointOptions,
): Promise<Checkpoint[]> {
  const has = askerOf(seen);
  const unseen: Checkpoint[] = [];
  for (let id = previous_id; id !== null && !(await has(id)); ) {
    const { body } = await readApi(options, `${pathOf({ partner_id, endpoint_id })}/${id}`);
    const checkpoint = await verifyCheckpoint((body as { jws: string }).jws, {
      ...options,
      endpointId: endpoint_id,
    });
    if (checkpoint.checkpoint_id !== id)
      throw mismatch(`Concord answered with another checkpoint than ${id}`);
    unseen.push(checkpoint);
    id = checkpoint.previous_id;
  }
  return unseen.toReversed();
}

type Listed = { readonly event_id: string; readonly status: string };

async function readList(checkpoint: Checkpoint, api: ApiOptions): Promise<Listed[]> {
  const { checkpoint_id, count, root } = checkpoint;
  const list: Listed[] = [];
  let next: string | null = `${pathOf(checkpoint)}/${checkpoint_id}/deliveries?page_size=1000`;
  while (next !== null) {
    const page = await readApi(api, next);
    if (!Array.isArray(page.body)) throw mismatch('The answer is no list of deliveries');
    list.push(...(page.body as Listed[]));
    // A list without end is none of this checkpoint, and no page of it is empty.
    next = list.length > count || page.body.length === 0 ? null : page.next;
  }
  if (list.length !== count || (await merkleRoot(list.map(({ event_id }) => event_id))) !== root)
    throw mismatch(`The list of ${list.length} deliveries does not have the signed count and root`);
  return list;
}

const pathOf = ({ partner_id, endpoint_id }: Pick<Checkpoint, 'partner_id' | 'endpoint_id'>) =>
  `/partners/${partner_id}/webhook-endpoints/${endpoint_id}/checkpoints`;
const mismatch = (message: string) => new WebhookError('checkpoint_mismatch', 'checkpoint', message);

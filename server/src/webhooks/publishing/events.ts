// Publishes events: one, a batch, and a test.
import type { Granted } from '../../access/index.ts';
import { recordAction } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import type { Answer, IdempotentRequest } from '../../base/idempotency/index.ts';
import { formatId } from '../../base/ids.ts';
import { createDatabaseQueue } from '../../base/limits/index.ts';
import type { Database } from '../../base/postgres/database.ts';
import type { Pool } from '../../base/threads/pool.ts';
import { isReserved } from '../catalogue/built-in.ts';
import { checkpointType } from '../catalogue/checkpoint-type.ts';
import type { DataChecks } from '../catalogue/data-checks.ts';
import type { EventTypes } from '../catalogue/event-types.ts';
import { type Example, selectExample } from '../catalogue/store.ts';
import { toEndpointJson } from '../endpoints/schema.ts';
import { type EndpointRow, toEndpoint } from '../endpoints/store.ts';
import type { Publication } from './publish.ts';
import type { Publisher } from './publisher.ts';
import { type Draft, readBatch, readDraft } from './read-drafts.ts';
import type { PublishEvent, TestEndpoint } from './schema.ts';

/** A larger body is read in a thread. */
const largeBodyBytes = 64 * 1024;
/** Reading takes linear time, so only a fault of ours can reach this. */
const readDeadlineMs = 120_000;
/** Larger batches wait for their turn. */
const largeBatch = 20;
/** A large batch holds a connection for seconds: few run at once, and one of a partner. */
const batchLimits = {
  name: 'large-batches',
  concurrencyPerGroup: 1,
  what: `batches of the partner with more than ${largeBatch} events`,
};

export type Events = ReturnType<typeof createEvents>;

type Options = {
  db: Database;
  eventTypes: EventTypes;
  checks: DataChecks;
  pool: Pool;
  publisher: Publisher;
};

export function createEvents({ db, eventTypes, checks, pool, publisher }: Options) {
  const inTurn = createDatabaseQueue(db, batchLimits);

  /**
   * Call it before any lock is taken, since data can be large and schemas slow. `pointerOf`: where the request has an
   * event.
   */
  async function requireFit(
    { actor, partnerId }: Granted,
    drafts: readonly Draft[],
    pointerOf: (index: number) => string = () => '',
  ): Promise<void> {
    const own = drafts.findIndex(({ type }) => isReserved(type));
    if (own >= 0) throw onlyConcord(`${pointerOf(own)}/type`);
    const schemas = await eventTypes.schemas(partnerId, [...new Set(drafts.map(({ type }) => type))]);
    const indexes = new Map(schemas.map(({ name }, index) => [name, index]));
    const data = drafts.map(({ type, data: text }, index) => {
      const schema = indexes.get(type) ?? -1;
      requireUsable(schemas[schema], `${pointerOf(index)}/type`);
      return { schema, text, pointer: `${pointerOf(index)}/data` };
    });
    const misfit = await checks.findMisfit(schemas, data, actor.userId);
    if (misfit) throw new ServiceError('invalid_request', misfit);
  }

  /** `alone`: it is not published yet. */
  async function publishInGroup(
    granted: Granted,
    draft: Draft,
    idempotent: IdempotentRequest,
  ): Promise<Answer | 'alone'> {
    // A producer id would have to wait for another request with the same one.
    if (draft.producerId !== null || isReserved(draft.type)) return 'alone';
    const schema = requireUsable(await eventTypes.remembered(granted.partnerId, draft.type), '/type');
    const data = { schema: 0, text: draft.data, pointer: '/data' };
    const misfit = await checks.findMisfit([schema], [data], granted.actor.userId);
    // The remembered schema can be an old one.
    return misfit ? 'alone' : publisher.inGroup({ granted, draft, idempotent, version: schema.version });
  }

  /** The data of a test as it was sent, once it fits. */
  async function readTestData(granted: Granted, body: object, type: Example | undefined): Promise<string> {
    const draft = readDraft({ data: undefined, type: '', ...body, ...(type && { type: type.name }) }, body);
    await requireFit(granted, [draft]);
    return draft.data;
  }

  return {
    async publish(granted: Granted, body: PublishEvent, idempotent: IdempotentRequest): Promise<Answer> {
      const draft = readDraft(body);
      const answer = await publishInGroup(granted, draft, idempotent);
      if (answer !== 'alone') return answer;
      await requireFit(granted, [draft]);
      return publisher.alone({ granted, drafts: [draft], idempotent, answer: 'event' });
    },

    async publishBatch(granted: Granted, bytes: Uint8Array, idempotent: IdempotentRequest): Promise<Answer> {
      const drafts = await readAnyBatch(pool, granted.actor.userId, bytes);
      await requireFit(granted, drafts, (index) => `/${index}`);
      const write = () => publisher.alone({ granted, drafts, idempotent, answer: 'list' });
      return drafts.length > largeBatch ? inTurn(granted.partnerId, write) : write();
    },

    /** Publishes the example of a type, by default of the endpoint's first one, or this data, to this endpoint only. */
    async publishTest(
      granted: Granted<EndpointRow>,
      idempotent: IdempotentRequest,
      { body, ifMatch }: { body: TestEndpoint; ifMatch: string | undefined },
    ): Promise<Answer> {
      if (body?.type === checkpointType.name) throw onlyConcord('/type');
      const names =
        body?.type === undefined ? [...(granted.row.event_types ?? []), 'inventory.updated'] : [body.type];
      const type = await selectExample(db, granted.partnerId, names);
      const data = body?.data === undefined ? undefined : await readTestData(granted, body, type);
      return publisher.alone({ ...toTest(granted, type, { data, ifMatch }), idempotent });
    },
  };
}

async function readAnyBatch(pool: Pool, caller: string, bytes: Uint8Array): Promise<Draft[]> {
  if (bytes.length <= largeBodyBytes) return readBatch(bytes);
  const { buffer } = Uint8Array.from(bytes);
  const options = { caller, deadlineMs: readDeadlineMs, transfer: [buffer] };
  return (await pool.run('readBatch', new Uint8Array(buffer), options)) as Draft[];
}

function toTest(
  granted: Granted<EndpointRow>,
  type: Example | undefined,
  { data, ifMatch }: { data: string | undefined; ifMatch: string | undefined },
): Omit<Publication<EndpointRow>, 'idempotent'> {
  const { environment, endpoint_id } = granted.row;
  const drafts = type
    ? [{ type: type.name, environment, producerId: null, data: data ?? JSON.stringify(type.example) }]
    : [];
  return {
    granted,
    drafts,
    only: endpoint_id,
    answer: 'event',
    async before(tx, { row, actor, partnerId }) {
      requireMatch(ifMatch, toEndpointJson(toEndpoint(row)));
      if (row.environment === 'live') throw new ServiceError('endpoint_live');
      if (row.status === 'disabled') throw new ServiceError('endpoint_disabled');
      const { name } = requireUsable(type, '/type');
      await recordAction(tx, {
        actor,
        partnerId,
        action: 'webhook_endpoint.test',
        target: formatId('webhook_endpoint', endpoint_id),
        targetName: new URL(row.url).host,
        details: { event_type: name },
      });
    },
  };
}

const onlyConcord = (pointer: string) =>
  invalidRequest(pointer, 'must not be a type that only Concord publishes');

function requireUsable<T extends { archived: boolean }>(type: T | undefined, pointer: string): T {
  if (!type) throw invalidRequest(pointer, 'must be an event type; GET /event-types lists them');
  if (type.archived) throw invalidRequest(pointer, 'must not be an archived event type');
  return type;
}

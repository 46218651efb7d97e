// Event types: the names of events, and the schemas of their data (behaviour W12, W73, W74).
import { isDeepStrictEqual } from 'node:util';
import type { Caller, ReachOf } from '../../access/index.ts';
import { type Actor, changesBetween, recordAction } from '../../audit/index.ts';
import { invalidRequest, requireFound, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { requireBinary64 } from '../../base/http/json-body.ts';
import { isStorable } from '../../base/http/schemas.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { builtInEventTypes } from './built-in.ts';
import type { DataChecks, StoredSchema } from './data-checks.ts';
import { isNewlyDeprecated, isReservedName, merge, takesAway } from './event-type.ts';
import { checkPast, type Past, requireFit } from './past-events.ts';
import { type PutEventType, EventType as Wire } from './schema.ts';
import * as store from './store.ts';

type EventType = store.EventType;
const toJson = serializer(Wire);

type Options = { db: Database; checks: DataChecks; reachOf: ReachOf };
export type EventTypes = ReturnType<typeof createEventTypes>;

export function createEventTypes({ db, checks, reachOf }: Options) {
  /** By name. Types are never deleted, and operators alone create them. */
  const remembered = new Map<string, StoredSchema>();

  async function schemas(partnerId: string, names: readonly string[]): Promise<StoredSchema[]> {
    const found = await store.selectSchemas(db, partnerId, names);
    for (const schema of found) remembered.set(schema.name, schema);
    return found;
  }

  const viewerOf = async (caller: Caller): Promise<store.Viewer> => (await reachOf(caller)).anything();

  return {
    list: async (caller: Caller, archived: boolean) =>
      store.selectEventTypes(db, await viewerOf(caller), { archived }),
    /** @throws ServiceError not_found: the type does not exist for the caller */
    get: async (caller: Caller, name: string): Promise<EventType> =>
      requireFound(await store.selectEventType(db, await viewerOf(caller), name)),
    /** Only types that the partner sees. */
    schemas,
    /**
     * The schema as it was last read: compare its version. Undefined: the type does not exist for the partner. An
     * unknown type and one of others take the same statement.
     */
    async remembered(partnerId: string, name: string): Promise<StoredSchema | undefined> {
      const known = remembered.get(name);
      const isUsable = known && !known.archived && (known.partner_ids?.includes(partnerId) ?? true);
      return isUsable ? known : (await schemas(partnerId, [name]))[0];
    },

    /** @throws ServiceError not_found, invalid_request */
    async check(name: string, schema: object): Promise<Past> {
      requireFound(await store.selectEventType(db, null, name));
      await checks.requireValid({ schema });
      return checkPast(db, checks, { name, schema });
    },

    /** The example must fit the schema, and the last events of the type too unless `force`. */
    async put(
      caller: Caller,
      name: string,
      body: PutEventType,
      { force, ifMatch }: { force: boolean; ifMatch: string | undefined },
    ): Promise<EventType> {
      requireOwn(name, body);
      await checks.requireValid(body);
      const current = await store.selectEventType(db, null, name);
      if (!force && current && !isDeepStrictEqual(current.schema, body.schema))
        await requireFit(db, checks, { name, schema: body.schema });
      return db.transaction(async (tx) => {
        const { actor } = await caller.recheck(tx);
        await store.lockCatalogue(tx);
        const before = (await store.selectEventType(tx, null, name)) ?? null;
        // `*` too matches only a type that is there.
        if (before) requireMatch(ifMatch, toJson(before));
        else if (ifMatch !== undefined) throw new ServiceError('precondition_failed');
        const after = await write(tx, before, merge(name, before, body), force);
        await recordPut(tx, actor, { before, after, details: force ? { force } : {} });
        return after;
      });
    },
  };
}

type Put = { before: EventType | null; after: EventType; details: object };

export const recordPut = (tx: Transaction, actor: Actor, { before, after, details }: Put): Promise<void> =>
  recordAction(tx, {
    actor,
    partnerId: null,
    action: 'event_type.put',
    target: after.name,
    details,
    changes: changesBetween(before, after),
  });

/** @throws ServiceError event_type_built_in, invalid_request */
function requireOwn(name: string, body: PutEventType): void {
  if (builtInEventTypes.some((each) => each.name === name)) throw new ServiceError('event_type_built_in');
  if (isReservedName(name)) throw invalidRequest('/name', `must not be ${name}, which an operation has`);
  for (const member of ['schema', 'example'] as const) {
    if (!isStorable(body[member]))
      throw invalidRequest(`/${member}`, 'must not contain NUL or a lone surrogate');
    requireBinary64(body[member], `/${member}`);
  }
}

/** Call it with the catalogue locked. @throws ServiceError invalid_request, event_type_in_use */
async function write(
  tx: Transaction,
  before: EventType | null,
  next: store.Content,
  force: boolean,
): Promise<EventType> {
  const missing = await store.lockPartners(tx, next.partner_ids ?? []);
  if (missing !== undefined) throw invalidRequest(`/partner_ids/${missing}`, 'must be the id of a partner');
  const isNews = isNewlyDeprecated(before, next);
  const successor = next.deprecated?.successor ?? null;
  if (isNews && successor !== null && !(await store.canSucceed(tx, next, successor)))
    throw invalidRequest(
      '/deprecated/successor',
      'must be another event type that is not archived, and that everyone who sees this type sees',
    );
  const after = await store.putEventType(tx, next);
  if (isNews) await store.startNotice(tx, next.name);
  if (!force && takesAway(before, after)) {
    const count = await store.countLosing(tx, next.name);
    if (count > 0)
      throw new ServiceError('event_type_in_use', {
        detail: `${count === 1 ? '1 webhook endpoint names' : `${count} webhook endpoints name`} this type, and would lose it. Send ?force=true to change it anyway.`,
      });
  }
  return after;
}

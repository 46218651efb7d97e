// Event types: the names of events, and the schemas of their data (behaviour W12).
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../access/index.ts';
import { changesBetween, recordAction } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireBinary64 } from '../../base/http/json-body.ts';
import { isStorable } from '../../base/http/schemas.ts';
import type { Database } from '../../base/postgres/database.ts';
import { builtInEventTypes } from './built-in.ts';
import type { DataChecks, StoredSchema } from './data-checks.ts';
import { checkPast, type Past, requireFit } from './past-events.ts';
import { type EventType, putEventType, selectEventType, selectEventTypes, selectSchemas } from './store.ts';

/** Of the events that one check reads. */
const maxCheckedBytes = 16 * 2 ** 20;

export type EventTypes = ReturnType<typeof createEventTypes>;

export function createEventTypes({ db, checks }: { db: Database; checks: DataChecks }) {
  /** By name. Types are never deleted, and operators alone create them. */
  const remembered = new Map<string, StoredSchema>();
  async function schemas(names: readonly string[]): Promise<StoredSchema[]> {
    const found = await selectSchemas(db, names);
    for (const schema of found) remembered.set(schema.name, schema);
    return found;
  }

  return {
    list: () => selectEventTypes(db),

    schemas,

    /** The schema as it was last read: compare its version. Undefined: the type does not exist. */
    async remembered(name: string): Promise<StoredSchema | undefined> {
      return remembered.get(name) ?? (await schemas([name]))[0];
    },

    /** @throws ServiceError not_found, invalid_request */
    async check(name: string, schema: object): Promise<Past> {
      if (!(await selectEventType(db, name))) throw new ServiceError('not_found');
      await checks.requireValid({ schema });
      return checkPast(db, checks, { name, schema }, { maxBytes: maxCheckedBytes });
    },

    /** The example must fit the schema, and the last events of the type too unless `force`. */
    async put(caller: Caller, type: EventType, force: boolean): Promise<EventType> {
      if (builtInEventTypes.some(({ name }) => name === type.name))
        throw new ServiceError('event_type_built_in');
      for (const member of ['schema', 'example'] as const) {
        if (!isStorable(type[member]))
          throw invalidRequest(`/${member}`, 'must not contain NUL or a lone surrogate');
        requireBinary64(type[member], `/${member}`);
      }
      await checks.requireValid(type);
      const current = await selectEventType(db, type.name);
      if (!force && current && !isDeepStrictEqual(current.schema, type.schema))
        await requireFit(db, checks, type);
      return db.transaction(async (tx) => {
        const { actor } = await caller.recheck(tx);
        const before = (await selectEventType(tx, type.name)) ?? null;
        const after = await putEventType(tx, type);
        await recordAction(tx, {
          actor,
          partnerId: null,
          action: 'event_type.put',
          target: type.name,
          details: force ? { force } : {},
          changes: changesBetween(before, after),
        });
        return after;
      });
    },
  };
}

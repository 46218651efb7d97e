// Event types: the names of events, and the schemas of their data (behaviour W12).
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../access/index.ts';
import { changesBetween, recordAction } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../errors.ts';
import { isStorable } from '../../http/schemas.ts';
import type { Database } from '../../postgres/database.ts';
import { builtInEventTypes } from './built-in.ts';
import type { DataChecks, StoredSchema } from './data-checks.ts';
import { requireFit } from './refused-events.ts';
import { type EventType, putEventType, selectEventType, selectEventTypes, selectSchemas } from './store.ts';

export type EventTypes = ReturnType<typeof createEventTypes>;

export function createEventTypes({ db, checks }: { db: Database; checks: DataChecks }) {
  return {
    list: (): Promise<EventType[]> => selectEventTypes(db),

    /** The schemas of these types, without the types that do not exist. */
    schemas: (names: readonly string[]): Promise<StoredSchema[]> => selectSchemas(db, names),

    /**
     * Creates or replaces a type. Its example, and events from now on, must fit its schema, and its last events too unless `force`.
     * @throws ServiceError event_type_built_in, event_type_refuses_events
     */
    async put(caller: Caller, type: EventType, force: boolean): Promise<EventType> {
      if (builtInEventTypes.some(({ name }) => name === type.name)) throw new ServiceError('event_type_built_in');
      for (const member of ['schema', 'example'] as const)
        if (!isStorable(type[member])) throw invalidRequest(`/${member}`, 'must not contain NUL or a lone surrogate');
      await checks.requireValid(type);
      const current = await selectEventType(db, type.name);
      if (!force && current && !isDeepStrictEqual(current.schema, type.schema)) await requireFit(db, checks, type);
      return db.transaction(async (tx) => {
        const { actor } = await caller.recheck(tx);
        const details = force ? { force } : {};
        const before = (await selectEventType(tx, type.name)) ?? null;
        const after = await putEventType(tx, type);
        const changes = changesBetween(before, after);
        await recordAction(tx, { actor, partnerId: null, action: 'event_type.put', target: type.name, details, changes });
        return after;
      });
    },
  };
}

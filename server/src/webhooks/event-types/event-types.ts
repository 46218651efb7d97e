// Event types: the names of events, and the schemas of their data (behaviour W12).
import type { Caller } from '../../access/index.ts';
import { recordAction } from '../../audit/index.ts';
import { invalidRequest } from '../../errors.ts';
import { isStorable } from '../../http/schemas.ts';
import type { Database } from '../../postgres/database.ts';
import type { DataChecks, StoredSchema } from './data-checks.ts';
import { type EventType, putEventType, selectEventTypes, selectSchemas } from './store.ts';

export type EventTypes = ReturnType<typeof createEventTypes>;

export function createEventTypes({ db, checks }: { db: Database; checks: DataChecks }) {
  return {
    list: (): Promise<EventType[]> => selectEventTypes(db),

    /** The schemas of these types, without the types that do not exist. */
    schemas: (names: readonly string[]): Promise<StoredSchema[]> => selectSchemas(db, names),

    /** Creates or replaces a type. Its example, and events from now on, must fit its schema. */
    async put(caller: Caller, type: EventType): Promise<EventType> {
      for (const member of ['schema', 'example'] as const)
        if (!isStorable(type[member])) throw invalidRequest(`/${member}`, 'must not contain NUL or a lone surrogate');
      await checks.requireValid(type);
      return db.transaction(async (tx) => {
        const { actor } = await caller.recheck(tx);
        await recordAction(tx, { actor, partnerId: null, action: 'event_type.put', target: type.name });
        return putEventType(tx, type);
      });
    },
  };
}

// Event types: the names of events, and the schemas of their data (behaviour W12).
import { isDeepStrictEqual } from 'node:util';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Caller } from '../../access/index.ts';
import { recordAction } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../errors.ts';
import { toFaults } from '../../http/faults.ts';
import { isStorable } from '../../http/schemas.ts';
import type { Database } from '../../postgres/database.ts';
import { builtInEventTypes } from './built-in.ts';
import { compile } from './compile.ts';
import { requireFit } from './refused-events.ts';
import { type EventType, putEventType, selectEventType, selectEventTypes, selectSchemas, type VersionedSchema } from './store.ts';

export type EventTypes = ReturnType<typeof createEventTypes>;

export function createEventTypes({ db }: { db: Database }) {
  /** Each version of a type is compiled once. */
  const validators = new Map<string, { version: string; validate: ValidateFunction }>();

  function validatorOf({ name, version, schema }: VersionedSchema): ValidateFunction {
    const known = validators.get(name);
    if (known?.version === version) return known.validate;
    const validate = compile(schema);
    validators.set(name, { version, validate });
    return validate;
  }

  return {
    list: (): Promise<EventType[]> => selectEventTypes(db),

    /** The validators of these types. The map has no unknown types. */
    async validators(names: readonly string[]): Promise<Map<string, ValidateFunction>> {
      return new Map((await selectSchemas(db, names)).map((type) => [type.name, validatorOf(type)]));
    },

    /**
     * Creates or replaces a type. Its example, and events from now on, must fit its schema, and its last events too unless `force`.
     * @throws ServiceError event_type_built_in, event_type_refuses_events
     */
    async put(caller: Caller, type: EventType, force: boolean): Promise<EventType> {
      if (builtInEventTypes.some(({ name }) => name === type.name)) throw new ServiceError('event_type_built_in');
      for (const member of ['schema', 'example'] as const)
        if (!isStorable(type[member])) throw invalidRequest(`/${member}`, 'must not contain NUL or a lone surrogate');
      const validate = compile(type.schema);
      // Validates what will be stored: JSON has no infinity.
      if (!validate(JSON.parse(JSON.stringify(type.example)))) {
        throw new ServiceError('invalid_request', { faults: toFaults(validate.errors, '/example') });
      }
      const current = await selectEventType(db, type.name);
      if (!force && current && !isDeepStrictEqual(current.schema, type.schema)) {
        const findFault = (data: unknown) =>
          validate(data) ? null : (toFaults(validate.errors, '/data')[0]?.message ?? 'is not valid');
        await requireFit(db, type.name, findFault);
      }
      return db.transaction(async (tx) => {
        const { actor } = await caller.recheck(tx);
        const details = force ? { force } : {};
        await recordAction(tx, { actor, partnerId: null, action: 'event_type.put', target: type.name, details });
        return putEventType(tx, type);
      });
    },
  };
}

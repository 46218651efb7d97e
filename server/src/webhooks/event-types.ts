// Event types: what events there can be, and whether data fits (behaviour W12).
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Granted } from '../agreements/index.ts';
import { recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { toFaults } from '../http/error-responses.ts';
import { isStorable } from '../http/schemas.ts';
import type { Database } from '../postgres/database.ts';
import { type EventType, putEventType, selectEventTypes, selectSchemas, type VersionedSchema } from './event-type-store.ts';

export type EventTypes = ReturnType<typeof createEventTypes>;

export function createEventTypes({ db }: { db: Database }) {
  /** Compiled once for each version of a type. */
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

    /** What the data of these types must fit; a type that there is not is missing. */
    async validators(names: readonly string[]): Promise<Map<string, ValidateFunction>> {
      return new Map((await selectSchemas(db, names)).map((type) => [type.name, validatorOf(type)]));
    },

    /** Makes it, or changes it: what is published from now on has to fit. Its example must fit too. */
    put: (granted: Granted, type: EventType): Promise<EventType> => {
      for (const member of ['schema', 'example'] as const)
        if (!isStorable(type[member])) throw invalid(`/${member}`, 'has a NUL or half of a surrogate pair in a text');
      const validate = compile(type.schema);
      // As it will be kept: JSON has no infinity.
      if (!validate(JSON.parse(JSON.stringify(type.example)))) {
        throw new ServiceError('invalid_request', { faults: toFaults(validate.errors, '/example') });
      }
      return db.transaction(async (tx) => {
        const { actor } = await granted.again(tx);
        await recordAction(tx, { actor, partnerId: null, action: 'event_type.put', target: type.name });
        return putEventType(tx, type);
      });
    },
  };
}

/** @throws ServiceError invalid_request: no JSON Schema of draft 2020-12 */
function compile(schema: object): ValidateFunction {
  try {
    const ajv = new Ajv2020({ strict: false, validateFormats: true });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    // It would answer with a promise, and let everything pass.
    if ('$async' in validate) throw new Error('$async is not JSON Schema');
    return validate;
  } catch (cause) {
    throw invalid('/schema', `is no JSON Schema: ${String((cause as Error).message).slice(0, 200)}`);
  }
}

const invalid = (pointer: string, message: string) =>
  new ServiceError('invalid_request', { faults: [{ pointer: pointer.slice(0, 200), code: 'invalid_value', message }] });

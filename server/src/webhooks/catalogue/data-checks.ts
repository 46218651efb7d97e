// Chooses where data is checked: small work on the event loop, large work in a thread with a deadline.
import { setImmediate } from 'node:timers/promises';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { invalidRequest } from '../../base/errors.ts';
import { LimitError, type Pool } from '../../base/threads/pool.ts';
import { type BodyMisfit, compile, type Data, findMisfit, type Misfit } from './compile.ts';
import type { Found } from './documents/read-document.ts';
import { weighSchema } from './schema-weight.ts';

/** A stored schema, and who may publish with it. `version` changes with them. */
export type StoredSchema = {
  name: string;
  version: string;
  schema: object;
  archived: boolean;
  /** Bare UUIDs. Null: all partners. */
  partner_ids: readonly string[] | null;
};
type Known = { version: string; text: string; weight: number; validate?: ValidateFunction };

/** Heavier schemas are not even compiled on the event loop. */
const maxWeight = 100;
/** The most work of one call on the event loop: the weight of each schema, times the length of its data. */
const maxWork = 2_000_000;
const deadlineMs = 3_000;
const deadlineMsPerMiB = 1_000;

export type DataChecks = ReturnType<typeof createDataChecks>;

type Job = {
  name: string;
  input: unknown;
  /** Default: operators, who alone change event types. */
  caller?: string;
  /** The size of the input. The deadline grows with it. */
  bytes?: number;
  /** What takes too much time or memory, and where the request is to blame. */
  work: string;
  pointer?: string;
};

async function runJob<Result>(
  pool: Pool,
  { name, input, caller = 'operators', bytes = 0, work, pointer = '/schema' }: Job,
): Promise<Result> {
  const deadline = deadlineMs + (deadlineMsPerMiB * bytes) / 2 ** 20;
  try {
    return (await pool.run(name, input, { caller, deadlineMs: deadline })) as Result;
  } catch (error) {
    if (error instanceof LimitError)
      throw invalidRequest(pointer, `takes too much time or memory to ${work}`);
    throw error;
  }
}

export function createDataChecks({ pool }: { pool: Pool }) {
  const known = new Map<string, Known>();

  async function know({ name, version, schema }: StoredSchema): Promise<Known> {
    const found = known.get(name);
    if (found?.version === version) return found;
    const fresh: Known = { version, text: JSON.stringify(schema), weight: weighSchema(schema) };
    if (fresh.weight <= maxWeight) {
      // Many types can be new at once.
      await setImmediate();
      fresh.validate = compile(schema, { isNew: false });
    }
    known.set(name, fresh);
    return fresh;
  }

  return {
    /** The first data that does not fit. @throws ServiceError invalid_request: the check takes too much */
    async findMisfit(
      schemas: readonly StoredSchema[],
      data: readonly Data[],
      caller: string,
    ): Promise<Misfit | null> {
      const all: Known[] = [];
      for (const schema of schemas) all.push(await know(schema));
      const work = data.reduce((sum, { schema, text }) => sum + (all[schema]?.weight ?? 0) * text.length, 0);
      const validators = all.flatMap(({ validate }) => validate ?? []);
      if (work <= maxWork && validators.length === all.length) return findMisfit(validators, data);
      return runJob<Misfit | null>(pool, {
        name: 'findMisfit',
        input: { schemas: all.map(({ text }) => text), data },
        caller,
        bytes: data.reduce((sum, { text }) => sum + text.length, 0),
        pointer: data.length === 1 ? (data[0]?.pointer ?? '') : '',
        work: 'check against the schema of its event type',
      });
    },

    /**
     * The webhook bodies whose data does not fit a new schema. @throws ServiceError invalid_request: the
     * check takes too much
     */
    findMisfits: (schema: object, bodies: readonly string[]): Promise<BodyMisfit[]> =>
      runJob(pool, {
        name: 'findMisfits',
        input: { schema: JSON.stringify(schema), bodies },
        bytes: bodies.reduce((sum, body) => sum + body.length, 0),
        work: 'check the last events of the type',
      }),

    /** @throws ServiceError invalid_request: the document is not accepted */
    readDocument: (text: string): Promise<Found[]> =>
      runJob(pool, {
        name: 'readDocument',
        input: text,
        bytes: text.length,
        pointer: '/document',
        work: 'read',
      }),

    /** @throws ServiceError invalid_request: the schema is not accepted, or does not take the example */
    requireValid: (type: { schema: object; example?: unknown }): Promise<void> =>
      runJob(pool, {
        name: 'requireValidType',
        input: JSON.stringify(type),
        work: 'compile, or to check the example',
      }),
  };
}

// Checks the data of events against compiled schemas. It runs on the event loop or in a thread.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Fault } from '../../base/errors.ts';
import { toFaults } from '../../base/http/faults.ts';

/** JSON text, the index of its schema, and its pointer in the request. */
export type Data = { schema: number; text: string; pointer: string };
export type Misfit = { index: number; faults: Fault[] };

export function findMisfit(validators: readonly ValidateFunction[], data: readonly Data[]): Misfit | null {
  for (const [index, { schema, text, pointer }] of data.entries()) {
    const validate = validators[schema];
    if (!validate) throw new Error('A schema is missing');
    if (!fits(validate, JSON.parse(text))) return { index, faults: toFaults(validate.errors, pointer) };
  }
  return null;
}

/** A webhook body whose data does not fit, and why. */
export type BodyMisfit = { index: number; pointer: string; problem: string };

export function findMisfits(validate: ValidateFunction, bodies: readonly string[]): BodyMisfit[] {
  return bodies.flatMap((body, index) => {
    if (fits(validate, JSON.parse(body).data)) return [];
    const [fault] = toFaults(validate.errors, '/data');
    return [{ index, pointer: fault?.pointer ?? '/data', problem: fault?.message ?? 'is not valid' }];
  });
}

function fits(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (error) {
    // A schema that refers to itself can recurse without end.
    if (!(error instanceof RangeError)) throw error;
    const message = 'makes the schema recurse too deep';
    validate.errors = [{ keyword: 'recursion', instancePath: '', schemaPath: '#', params: {}, message }];
    return false;
  }
}

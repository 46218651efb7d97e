// Compiles the JSON Schema of an event type (behaviour W12), and checks data against it. It runs on the event loop
// or in a thread.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';
import { type Fault, invalidRequest } from '../../base/errors.ts';
import { toFaults } from '../../base/http/faults.ts';

/** A pattern that takes linear time. @throws Error: RE2 or JavaScript, whose syntax differs, refuses it */
export function linearPattern(pattern: string) {
  new RegExp(pattern, 'u');
  // re2js would silently read it as something else.
  if (pattern.includes('\\k')) throw new Error('\\k is not supported');
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text: string) => compiled.test(text), toString: () => pattern };
}

const regExp = Object.assign(linearPattern, { code: 'linearPattern' });

/** `isNew` false: the schema was checked when it was stored, which takes a third of the time. */
export function compile(schema: object, { isNew }: { isNew: boolean }): ValidateFunction {
  try {
    const ajv = new Ajv2020({ strict: false, verbose: true, validateSchema: isNew, code: { regExp } });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    // Such a validator returns a promise, so every value would pass.
    if ('$async' in validate) throw new Error('$async is not JSON Schema');
    return validate;
  } catch (cause) {
    if (cause instanceof RangeError) throw invalidRequest('/schema', 'must not refer to itself without end');
    const reason = String((cause as Error).message).slice(0, 200);
    throw invalidRequest('/schema', `must be a JSON Schema of draft 2020-12: ${reason}`);
  }
}

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

// Compiles the JSON Schema of an event type (behaviour W12).
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';
import { invalidRequest } from '../../base/errors.ts';

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

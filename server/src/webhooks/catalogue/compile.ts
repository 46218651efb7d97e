// Compiles the JSON Schema of an event type (behaviour W12).
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';
import { invalidRequest } from '../../base/errors.ts';

type Pattern = { test(text: string): boolean; toString(): string };

/**
 * A pattern that takes linear time. JavaScript must accept it too, since the two engines do not have the same
 * syntax.
 * @throws Error: one of the engines refuses it
 */
export function linearPattern(pattern: string): Pattern {
  new RegExp(pattern, 'u');
  // re2js would silently read it as something else.
  if (pattern.includes('\\k')) throw new Error('\\k is not supported');
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.test(text), toString: () => pattern };
}

const regExp = Object.assign(linearPattern, { code: 'linearPattern' });

/**
 * @throws ServiceError invalid_request: not a JSON Schema of draft 2020-12, or a pattern that is not
 * supported. `isNew` false: the schema was checked when it was stored, which takes a third of the time.
 */
export function compile(schema: object, { isNew }: { isNew: boolean }): ValidateFunction {
  try {
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: true,
      verbose: true,
      validateSchema: isNew,
      code: { regExp: regExp },
    });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    // Such a validator returns a promise, so every value would pass.
    if ('$async' in validate) throw new Error('$async is not JSON Schema');
    return validate;
  } catch (cause) {
    throw invalidRequest(
      '/schema',
      `must be a JSON Schema of draft 2020-12: ${String((cause as Error).message).slice(0, 200)}`,
    );
  }
}

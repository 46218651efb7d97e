// Compiles the JSON Schema of an event type (behaviour W12).
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { invalidRequest } from '../../errors.ts';

/** @throws ServiceError invalid_request: not a JSON Schema of draft 2020-12 */
export function compile(schema: object): ValidateFunction {
  try {
    const ajv = new Ajv2020({ strict: false, validateFormats: true, verbose: true });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    // Such a validator returns a promise, so every value would pass.
    if ('$async' in validate) throw new Error('$async is not JSON Schema');
    return validate;
  } catch (cause) {
    throw invalidRequest('/schema', `must be a JSON Schema of draft 2020-12: ${String((cause as Error).message).slice(0, 200)}`);
  }
}

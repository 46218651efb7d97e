// Holds each answer to what its operation may answer.
import { Ajv } from 'ajv';
import { operations } from './contract-operations.ts';
import { error, nothing, oauthError, scimError } from './shapes.ts';

const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true });
const compiled = new Map<object, ReturnType<Ajv['compile']>>();

export type Exchange = {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed body; null when there is none. */
  body: unknown;
};

/** @throws Error when the interface does not allow the response for this operation. */
export function holdToContract({ method, path, status, headers, body }: Exchange) {
  const fail = (problem: string) => {
    throw new Error(
      `${method} ${path.slice(0, 200)} -> ${status} breaks the contract: ${problem}\n${JSON.stringify(body)?.slice(0, 2_000)}`,
    );
  };
  if (headers['x-request-id'] === undefined) fail('no X-Request-Id');
  if (headers['api-version'] !== '2.0') fail('no API-Version');
  // A response to HEAD equals the response to GET without its body.
  if (method === 'HEAD') return;
  if (path.startsWith('/scim/v2')) {
    holdToScim(headers, status, body, fail);
    return;
  }
  const isForm = path.startsWith('/oauth/') || path.endsWith('/backchannel-logout');
  const isOauth = isForm && typeof body === 'object' && body !== null && 'error' in body;
  const failure = isOauth && status === 400 ? oauthError : error(status);
  const schema = status >= 400 ? failure : successSchema(method, path, status);
  if (!schema) throw fail('no such success for this operation');
  if (schema === nothing && headers['content-type'] !== undefined) fail('a Content-Type without a body');
  if (/json; /.test(String(headers['content-type']))) fail('a parameter in the type of JSON (F7)');
  if (status >= 400) {
    if (headers['content-type'] !== 'application/json') fail(`an error of type ${headers['content-type']}`);
    if ((body as { request_id?: string } | null)?.request_id !== headers['x-request-id'])
      fail('request_id and X-Request-Id differ');
    if (status === 401 && !headers['www-authenticate']) fail('401 without WWW-Authenticate');
    if (status === 405 && !headers.allow) fail('405 without Allow');
    if (status === 429 && !headers['retry-after']) fail('429 without Retry-After');
  }
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(body)) return;
  const faults = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  fail(`${faults?.join(', ')}. Its shape is in server/test/contract/shapes`);
}

/** Other programs describe its answers: here only the form of errors. */
function holdToScim(
  headers: Exchange['headers'],
  status: number,
  body: unknown,
  fail: (problem: string) => never,
) {
  if (body !== null && headers['content-type'] !== 'application/scim+json')
    fail(`an answer of type ${headers['content-type']}`);
  if (status >= 400 && !ajv.validate(scimError(status), body)) fail(ajv.errorsText());
  if (status === 401 && !headers['www-authenticate']) fail('401 without WWW-Authenticate');
}

function successSchema(method: string, path: string, status: number): object | undefined {
  // A path can be spelled in many ways.
  const pathname = (path.split('?', 1)[0] ?? '').replace(/%[46-7][0-9a-f]/gi, decodeURIComponent);
  const prefix = '/console/api';
  const find = (at: string) =>
    operations.find((operation) => operation.method === method && operation.path.test(at))?.success[status];
  if (!pathname.startsWith(`${prefix}/`)) return find(pathname);
  const schema = find(pathname.slice(prefix.length));
  return schema && withoutTokens(schema);
}

type Shape = { anyOf?: Shape[]; properties?: Record<string, { pattern?: string }>; required?: string[] };
const shapesWithoutTokens = new Map<object, object>();

/**
 * Below the prefix, no body has a token of a session (behaviour B4). Returns the same object for the same
 * schema.
 */
function withoutTokens(schema: Shape): object {
  const known = shapesWithoutTokens.get(schema);
  if (known) return known;
  const isKept = (name: string) =>
    !['token', 'twoFactorToken', 'trustDeviceToken'].includes(name) ||
    schema.properties?.[name]?.pattern !== undefined;
  const { anyOf, properties, required } = schema;
  const made = {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(withoutTokens) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    }),
    ...(required && { required: required.filter(isKept) }),
  };
  shapesWithoutTokens.set(schema, made);
  return made;
}

// Completes the OpenAPI document: named schemas, errors, headers, tags, and webhooks.
import { ErrorBody } from './error-responses.ts';
import { type Json, mapSchemas, publishSchema } from './openapi-schemas.ts';

const meanings: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Missing or invalid parameters',
  401: 'Missing or invalid authentication',
  403: 'No permission for the resource or action',
  404: 'Resource not found',
  429: 'Rate limit exceeded',
  500: 'Fault of the service',
};

const text = { type: 'string' };
const textHeader = (description: string) => ({ description, schema: text });
const headers = {
  'X-Request-Id': textHeader('The id of this request. Quote it when you report a problem.'),
  'API-Version': { description: 'The version of the interface that answered.', schema: { const: '2.0' } },
  ETag: textHeader(
    'The version of the resource. Send it as If-Match to change only this version, or as If-None-Match to read only another one.',
  ),
  Location: textHeader('The path of the new resource, or where a redirect leads.'),
  Link: textHeader('Where the next page is, as `<...>; rel="next"`. Absent on the last page.'),
  'Total-Count': {
    description: 'The number of items in all pages. It is exact up to 10,000, and an estimate beyond.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Total-Count-Estimated': {
    description: '`true` when Total-Count is an estimate. Absent when it is exact.',
    schema: { const: 'true' },
  },
  'Ignored-Members': textHeader('JSON pointers to members that had no effect.'),
  'Idempotent-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  'Content-Disposition': textHeader('The name of the file in which to save the answer.'),
  Allow: textHeader('The methods of the path. It comes with 405.'),
  'WWW-Authenticate': textHeader('The authentication that is required.'),
  'Retry-After': {
    description: 'How many seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Policy': textHeader(
    'The limit that counts this request, for example `"default";q=100;w=10`: 100 requests in a window of 10 seconds.',
  ),
  RateLimit: textHeader(
    'What is left of the limit, for example `"default";r=99;t=10`: 99 requests in the next 10 seconds.',
  ),
} as const;
export type ResponseHeader = keyof typeof headers;
const everywhere = ['X-Request-Id', 'API-Version', 'RateLimit-Policy', 'RateLimit'] as const;

/** `webhooks`: path items, by name. */
export function completeDocument(document: object, webhooks: object): Json {
  const { paths, ...rest } = document as Json & { paths: Record<string, Record<string, Json>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const operation of operations) completeOperation(operation);
  const named: Record<string, Json> = {};
  const publish = (schema: Json, place: string) => publishSchema(schema, place, named);
  publish({ ...ErrorBody, title: 'Error' }, '');
  const used = {
    paths: returnExamples(paths),
    webhooks,
    headers,
  };
  const { headers: publishedHeaders, ...completed } = mapSchemas(used, publish) as Json;
  return {
    ...rest,
    tags: describeTags(operations),
    ...completed,
    components: {
      ...(rest.components as Json),
      headers: publishedHeaders,
      schemas: Object.fromEntries(Object.entries(named).toSorted(([one], [two]) => (one < two ? -1 : 1))),
    },
  };
}

type Declared = {
  /** The statuses that the contract lists, beside `default`. */
  'x-errors'?: readonly number[];
  'x-response-headers'?: readonly ResponseHeader[];
};

function completeOperation(operation: Json): void {
  operation.security ??= [];
  completeBody(operation.requestBody as RequestBody | undefined);
  const { 'x-errors': errors = [], 'x-response-headers': own = [] } = operation as Declared;
  delete operation['x-errors'];
  delete operation['x-response-headers'];
  const successes = Object.entries((operation.responses ?? {}) as Record<string, Json>);
  operation.responses = Object.fromEntries([
    ...successes.map(([status, response]) => [status, completeSuccess(operation, own, status, response)]),
    ...(takes(operation, 'if-none-match')
      ? [[304, { description: 'Not modified', headers: refer([...everywhere, 'ETag']) }]]
      : []),
    ...errors.map((status) => [status, errorResponse(meanings[status] ?? 'An error', status)]),
    ['default', errorResponse('An error')],
  ]);
}

type RequestBody = { required: boolean; content: Record<string, { schema?: Json }> };

/** Generators want one type for a body, so the description leaves out merge-patch. */
function completeBody(body: RequestBody | undefined): void {
  if (!body) return;
  const { 'application/json': json, ...others } = body.content;
  if (json) body.content = { 'application/json': json };
  else if (Object.keys(others).length > 1)
    throw new Error('A body has several media types, and none is application/json');
  // The swagger plugin requires every body. A schema that takes null need not be sent.
  for (const media of Object.values(body.content)) {
    const types = [media.schema?.type].flat();
    if (!types.includes('null')) continue;
    body.required = false;
    const [type] = types.filter((each) => each !== 'null');
    media.schema = { ...media.schema, type };
  }
}

const takes = ({ parameters = [] }: { parameters?: Json[] } & Json, name: string) =>
  parameters.some((parameter) => parameter.name === name);

function completeSuccess(
  operation: Json,
  own: readonly ResponseHeader[],
  status: string,
  { description, ...response }: Json,
): Json {
  const isRepeatable = takes(operation, 'idempotency-key');
  const names: ResponseHeader[] = [
    ...everywhere,
    // A 201 that shows a secret has none.
    ...((isRepeatable && status === '201') || status === '303' ? (['Location'] as const) : []),
    ...(isRepeatable ? (['Idempotent-Replayed'] as const) : []),
    ...own,
  ];
  const meaning = description === 'Default Response' ? meanings[Number(status)] : description;
  return { description: meaning ?? 'OK', headers: refer(names), ...response };
}

function errorResponse(description: string, status?: number): Json {
  const names: ResponseHeader[] = [...everywhere];
  if (status === undefined) names.push('Allow');
  if (status === undefined || status === 401) names.push('WWW-Authenticate');
  if (status === undefined || status === 429) names.push('Retry-After');
  return {
    description,
    headers: refer(names),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

const refer = (names: readonly ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The swagger plugin moves the example of a named schema beside it. */
function returnExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(returnExamples);
  if (typeof value !== 'object' || value === null) return value;
  const { schema, example, ...media } = value as { schema?: Json; example?: unknown };
  if (schema?.title !== undefined && example !== undefined)
    return { ...media, schema: { ...schema, examples: [example] } };
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'schema' ? each : returnExamples(each)]),
  );
}

const descriptions = {
  'Sign-in': 'Sign up, sign in, confirm addresses, reset passwords, and sign in with other providers.',
  Account:
    'The caller: the profile, the password, the sessions, the linked accounts, and the data that Concord keeps.',
  'Second factor': 'Codes of an authenticator app, backup codes, and the proof that some actions require.',
  Passkeys: 'Your passkeys: as the second factor, and alone as a sign-in.',
  Users: 'The people with an account. Only operators use these operations.',
  'Access tokens': 'Personal access tokens: what programs of a person send instead of a session token.',
  Partners: 'Businesses, with their contact, billing and support details.',
  Agreements: 'What gives a person access to a partner: an owner flag, permissions, and an optional end.',
  'Single sign-on': 'Sign-in with the identity provider of a partner: who must, and who may work without it.',
  Provisioning: 'The directory of a company creates, changes and ends access of its people by SCIM 2.0.',
  Invitations: 'Agreements that the invited person has not accepted yet.',
  'Access requests': 'What members ask for, and what approvals give them for some time.',
  'Access reviews': 'Owners confirm each agreement from time to time. What nobody confirms ends.',
  'Permission groups': 'Named sets of permissions that agreements can refer to.',
  'Identity connections': 'The OpenID Connect providers of a partner, and the domains that they speak for',
  'Service accounts': 'Programs with access to a partner, and their access tokens.',
  'Signing keys': 'The keys that sign webhooks, and their publication as JWKS.',
  'Webhook endpoints':
    'The URLs that receive webhooks, their tests, and help with receivers that refuse webhooks.',
  'Event types': 'The kinds of events, with a JSON Schema for the data of each.',
  Events: 'Publish events, and read the feed of a partner.',
  Deliveries: 'Events on their way to endpoints, their attempts, and replays.',
  Statistics: 'Counts of attempts and their latency, for a period.',
  Search: 'Find partners, people, endpoints, events and deliveries.',
  'Audit log': 'Who changed what, and when, in a log that shows when it was altered.',
  Evaluations: 'Answers to "may this person do this?" for other programs (OpenID AuthZEN).',
  Packages: 'What programs install to use Concord: the client, the webhook receiver, the signatures.',
  Platform: 'The state of the installation, for operators and monitors.',
  Health: 'Whether the process is alive, and can serve requests.',
  Webhooks: 'The requests that Concord sends to endpoints.',
} as const;

/** @throws Error when an operation has a tag that is not described here */
function describeTags(operations: readonly Json[]): { name: string; description: string }[] {
  const known = Object.entries(descriptions).map(([name, description]) => ({ name, description }));
  for (const { operationId, tags } of operations)
    for (const tag of (tags ?? []) as string[])
      if (!known.some(({ name }) => name === tag))
        throw new Error(`${operationId} has the tag ${tag}: describe it in openapi-document.ts`);
  return known;
}

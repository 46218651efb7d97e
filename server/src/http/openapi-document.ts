// Completes the OpenAPI document: named schemas, errors, headers of responses, and the webhooks that Concord sends.
import { ErrorBody } from './error-responses.ts';

/** Any part of the document. Its whole type would be larger than this file. */
type Json = { [member: string]: unknown };

/** A webhook as receivers get it: `schema` and `example` are of its body. */
export type WebhookDescription = { name: string; summary: string; schema: object; example: object };

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
const headers = {
  'X-Request-Id': { description: 'The id of this request, for reports', schema: text },
  'API-Version': { description: 'The version of the interface', schema: { const: '2.0' } },
  ETag: { description: 'The version of the resource, for If-Match and If-None-Match', schema: text },
  Location: { description: 'The path of the new resource', schema: text },
  Link: { description: 'The next page, as `<...>; rel="next"`', schema: text },
  'Total-Count': {
    description: 'The number of items in all pages: exact up to 10,000, and an estimate beyond',
    schema: { type: 'integer', minimum: 0 },
  },
  'Total-Count-Estimated': {
    description: '`true` when Total-Count is an estimate. Absent when it is exact',
    schema: { const: 'true' },
  },
  'Ignored-Members': { description: 'JSON pointers to members that had no effect', schema: text },
  'Idempotent-Replayed': {
    description: '`true` when this is the answer to an earlier request with the key',
    schema: { const: 'true' },
  },
  'WWW-Authenticate': { description: 'The authentication that is asked for', schema: text },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  'RateLimit-Policy': { description: 'The windows of requests', schema: text },
  RateLimit: { description: 'What is left of the window', schema: text },
} as const;
type HeaderName = keyof typeof headers;
const everywhere = ['X-Request-Id', 'API-Version', 'RateLimit-Policy', 'RateLimit'] as const;

export function completeDocument(document: object, webhooks: readonly WebhookDescription[]): Json {
  const { paths, ...rest } = document as Json & { paths: Record<string, Record<string, Json>> };
  for (const operations of Object.values(paths)) for (const operation of Object.values(operations)) completeOperation(operation);
  const named: Record<string, Json> = { Error: { ...ErrorBody } };
  const completed = nameSchemas({ paths, webhooks: Object.fromEntries(webhooks.map(toWebhook)) }, named) as Json;
  return {
    ...rest,
    ...completed,
    components: {
      ...(rest.components as Json),
      headers,
      schemas: Object.fromEntries(Object.entries(named).toSorted(([one], [two]) => (one < two ? -1 : 1))),
    },
  };
}

/** Members that routes add to their schema. */
type Declared = {
  /** The statuses that the contract lists, beside `default`. */
  'x-errors'?: readonly number[];
  'x-response-headers'?: readonly HeaderName[];
};

function completeOperation(operation: Json): void {
  operation.security ??= [];
  makeBodyOptional(operation.requestBody as RequestBody | undefined);
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

type RequestBody = { required: boolean; content: Record<string, { schema?: { type?: unknown } }> };

/** The swagger plugin requires every body. A schema that takes null is of a body that can be left out. */
function makeBodyOptional(body: RequestBody | undefined): void {
  if (body && Object.values(body.content).every(({ schema }) => [schema?.type].flat().includes('null'))) body.required = false;
}

const takes = ({ parameters = [] }: { parameters?: Json[] } & Json, name: string) =>
  parameters.some((parameter) => parameter.name === name);

function completeSuccess(operation: Json, own: readonly HeaderName[], status: string, { description, ...response }: Json): Json {
  const names: HeaderName[] = [
    ...everywhere,
    ...(status === '201' ? (['Location'] as const) : []),
    ...(takes(operation, 'page_from') ? (['Link', 'Total-Count', 'Total-Count-Estimated'] as const) : []),
    ...(takes(operation, 'idempotency-key') ? (['Idempotent-Replayed'] as const) : []),
    ...own,
  ];
  const meaning = description === 'Default Response' ? meanings[Number(status)] : description;
  return { description: meaning ?? 'OK', headers: refer(names), ...response };
}

function errorResponse(description: string, status?: number): Json {
  const names: HeaderName[] = [...everywhere];
  if (status === undefined || status === 401) names.push('WWW-Authenticate');
  if (status === undefined || status === 429) names.push('Retry-After');
  return {
    description,
    headers: refer(names),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

const refer = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/**
 * Moves each schema with a title to the components, and refers to it.
 * @throws Error when two different schemas have one title
 */
function nameSchemas(value: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((each) => nameSchemas(each, named));
  if (typeof value !== 'object' || value === null) return value;
  const walked = Object.fromEntries(Object.entries(withExample(value)).map(([name, each]) => [name, nameSchemas(each, named)]));
  const { title, ...schema } = walked;
  if (typeof title !== 'string' || (schema.type === undefined && schema.anyOf === undefined)) return walked;
  const known = named[title];
  if (known && shapeOf(known) !== shapeOf(schema)) throw new Error(`Two schemas have the title ${title}`);
  named[title] = { ...schema, ...known };
  return { $ref: `#/components/schemas/${title}` };
}

/** The swagger plugin moves the example of a named schema beside the schema; this moves it back. */
function withExample(value: object): object {
  const { schema, example, ...media } = value as { schema?: Json; example?: unknown };
  return schema?.title === undefined || example === undefined ? value : { ...media, schema: { ...schema, examples: [example] } };
}

/** The swagger plugin moves some of the examples and descriptions to the place where a schema is used. */
const shapeOf = ({ examples: _, description: _description, ...shape }: Json) => JSON.stringify(shape);

function toWebhook({ name, summary, schema, example }: WebhookDescription): [string, Json] {
  const header = (header: string, description: string) => ({
    in: 'header',
    name: header,
    required: true,
    description,
    schema: text,
  });
  return [
    name,
    {
      post: {
        operationId: `on${name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
        summary,
        tags: ['Webhooks'],
        security: [],
        parameters: [
          header('Webhook-Id', 'The id of the event. Each attempt has the same.'),
          header('Webhook-Attempt', 'The number of the attempt, from 1'),
          header('Content-Digest', 'The digest of the body (RFC 9530)'),
          header('Signature-Input', 'What is signed, and by which key (RFC 9421)'),
          header('Signature', 'The signature (RFC 9421)'),
        ],
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses: {
          '2XX': { description: 'Acknowledged' },
          default: { description: 'Anything else: the webhook is sent again' },
        },
      },
    },
  ];
}

// Event types as documents: the webhooks of OpenAPI 3.1, and AsyncAPI 3 (behaviour W75). Pure.
import { isObject } from '../../../base/http/schemas.ts';
import type { Described } from '../store.ts';
import { envelopeOf, exampleOf, idOf } from './envelope.ts';

export const formats = ['openapi', 'asyncapi'] as const;
type Format = (typeof formats)[number];

const info = { title: 'Concord webhooks', version: '1.0.0' };
const headers = {
  'Webhook-Id': 'The id of the event. Each attempt has the same.',
  'Webhook-Attempt': 'The number of the attempt, from 1',
  'Content-Digest': 'The digest of the body (RFC 9530)',
  'Signature-Input': 'What is signed, and by which key (RFC 9421)',
  Signature: 'The signature (RFC 9421)',
};

export const exportTypes = (types: readonly Described[], format: Format): object =>
  format === 'openapi' ? toOpenApi(types) : toAsyncApi(types);

/**
 * References of a schema without an `$id` start at the root of the document. So paths are rewritten, and a schema
 * with other references, such as to an anchor, gets an `$id`.
 */
function envelopeIn({ name, schema }: Described, place: string) {
  if ('$id' in schema) return envelopeOf(name, schema);
  const data = refersByPaths(schema)
    ? movePaths(schema, `${place}/properties/data`)
    : { $id: idOf(name), ...schema };
  return envelopeOf(name, data);
}

/** The references of such a schema stay inside it. */
const hasId = (value: object) => '$id' in value && typeof value.$id === 'string';

function refersByPaths(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || hasId(value)) return true;
  return Object.entries(value).every(([member, part]) => {
    if (typeof part !== 'string') return refersByPaths(part);
    return member === '$ref' ? /^#(\/|$)/.test(part) : member !== '$dynamicRef';
  });
}

function movePaths(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => movePaths(each, place));
  if (!isObject(value) || hasId(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, part]) => [
      member,
      member === '$ref' && typeof part === 'string' ? `#${place}${part.slice(1)}` : movePaths(part, place),
    ]),
  );
}

/** What receivers get, as a webhook of OpenAPI. `about`: further members of its operation. */
export const toWebhook = (about: object, schema: object, example: object) => ({
  post: {
    ...about,
    parameters: Object.entries(headers).map(([name, description]) => ({
      in: 'header',
      name,
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'Acknowledged' },
      default: { description: 'Anything else: the webhook is sent again' },
    },
  },
});

const toOpenApi = (types: readonly Described[]) => ({
  openapi: '3.1.0',
  info,
  paths: {},
  webhooks: Object.fromEntries(
    types.map((type) => {
      const { name, description, example } = type;
      return [name, toWebhook({ description }, { $ref: `#${placeOf(type)}` }, exampleOf(name, example))];
    }),
  ),
  // Generators of types follow references into components only.
  components: {
    schemas: Object.fromEntries(types.map((type) => [keyOf(type), envelopeIn(type, placeOf(type))])),
  },
});

/** Generators take a dot for the end of a module's name. */
const keyOf = ({ name }: Described) => name.replaceAll('.', '-');
const placeOf = (type: Described) => `/components/schemas/${keyOf(type)}`;

const toAsyncApi = (types: readonly Described[]) => ({
  asyncapi: '3.0.0',
  info,
  defaultContentType: 'application/json',
  channels: {
    webhooks: {
      address: null,
      messages: Object.fromEntries(types.map((type) => [type.name, toMessage(type)])),
    },
  },
  operations: { sendWebhook: { action: 'send', channel: { $ref: '#/channels/webhooks' } } },
});

const toMessage = (type: Described) => ({
  name: type.name,
  description: type.description,
  headers: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }]),
    ),
  },
  payload: {
    schemaFormat: 'application/schema+json;version=draft-2020-12',
    schema: envelopeIn(type, `/channels/webhooks/messages/${type.name}/payload/schema`),
  },
  examples: [{ payload: exampleOf(type.name, type.example) }],
});

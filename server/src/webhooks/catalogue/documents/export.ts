// Event types as documents: the webhooks of OpenAPI 3.1, and AsyncAPI 3 (behaviour W75). Pure.
import { isObject } from '../../../base/http/schemas.ts';
import type { Described } from '../store.ts';
import { envelopeOf, exampleOf, idOf } from './envelope.ts';

export const formats = ['openapi', 'asyncapi'] as const;
export type Format = (typeof formats)[number];

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
 * References are those of the document: they go on to name the same part of the schema. A schema with an id keeps
 * them, and one with anchors gets an id.
 */
function envelopeIn({ name, schema }: Described, place: string) {
  if ('$id' in schema) return envelopeOf(name, schema);
  const isPlain = referencesIn(schema).every((each) => each === '#' || each.startsWith('#/'));
  const data = isPlain ? moved(schema, `${place}/properties/data`) : { $id: idOf(name), ...schema };
  return envelopeOf(name, data);
}

/** Its references stay inside it. */
const hasId = (value: object) => '$id' in value && typeof value.$id === 'string';

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || hasId(value)) return [];
  return Object.entries(value).flatMap(([member, part]) =>
    (member === '$ref' || member === '$dynamicRef') && typeof part === 'string'
      ? [member === '$ref' ? part : 'dynamic']
      : referencesIn(part),
  );
}

function moved(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => moved(each, place));
  if (!isObject(value) || hasId(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, part]) => [
      member,
      member === '$ref' && typeof part === 'string' ? `#${place}${part.slice(1)}` : moved(part, place),
    ]),
  );
}

const toOpenApi = (types: readonly Described[]) => ({
  openapi: '3.1.0',
  info,
  paths: {},
  webhooks: Object.fromEntries(
    types.map((type) => [
      type.name,
      {
        post: {
          description: type.description,
          parameters: Object.entries(headers).map(([name, description]) => ({
            ...{ in: 'header', name, required: true, description },
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#${placeOf(type)}` },
                example: exampleOf(type.name, type.example),
              },
            },
          },
          responses: { '2XX': { description: 'Acknowledged' } },
        },
      },
    ]),
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

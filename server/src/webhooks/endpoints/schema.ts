// The wire of webhook endpoints (behaviour W8).
import { type Static, Type } from 'typebox';
import { listQuery } from '../../http/lists.ts';
import { NullableString, NullableText, PathId, Text, Timestamp } from '../../http/schemas.ts';
import { environments } from '../../signing-keys/index.ts';

const closed = { additionalProperties: false };
const nullable = <T>(schema: object) => Type.Unsafe<T | null>({ ...schema });

export const Endpoint = Type.Object(
  {
    id: Type.String({ examples: ['whe_01h2xcejqtf2nbrexx3vqjhp41'] }),
    url: Type.String(),
    description: NullableString(),
    event_types: nullable<string[]>({ type: ['array', 'null'], items: { type: 'string' }, description: 'null: every type' }),
    environment: Type.Enum([...environments]),
    ordering: Type.Enum(['none', 'strict'], {
      description: 'strict: one after the other, each until it is delivered or has failed',
    }),
    max_concurrency: Type.Integer(),
    rate_limit_per_second: nullable<number>({ type: ['integer', 'null'] }),
    header_names: Type.Array(Type.String(), { description: 'Of the headers that are sent along; their values are not shown' }),
    status: Type.Enum(['active', 'paused', 'disabled']),
    disabled_reason: NullableString(),
    created_at: Timestamp(),
    updated_at: Timestamp('Moves only when something changed'),
  },
  { title: 'WebhookEndpoint', ...closed },
);
export type Endpoint = Static<typeof Endpoint>;

const members = {
  description: Type.Optional(NullableText(2_000)),
  event_types: Type.Optional(
    nullable<string[]>({
      type: ['array', 'null'],
      maxItems: 100,
      uniqueItems: true,
      items: Text(100),
      description: 'null: every type, also those to come',
    }),
  ),
  ordering: Type.Optional(Type.Enum(['none', 'strict'])),
  max_concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, description: 'Requests at once; default 8' })),
  rate_limit_per_second: Type.Optional(nullable<number>({ type: ['integer', 'null'], minimum: 1, maximum: 1_000 })),
  headers: Type.Optional(
    nullable<Record<string, string>>({
      type: ['object', 'null'],
      maxProperties: 20,
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" },
      additionalProperties: { type: 'string', maxLength: 4_096, pattern: '^[\\x20-\\x7e]*$' },
      description: 'Sent along with every webhook; never shown again. Replaces all of before',
    }),
  ),
};
export const CreateEndpoint = Type.Object(
  { url: Text(2_048), environment: Type.Optional(Type.Enum([...environments], { description: 'Default: live' })), ...members },
  { title: 'CreateWebhookEndpoint', ...closed },
);
export type CreateEndpoint = Static<typeof CreateEndpoint>;
export const UpdateEndpoint = Type.Object(
  { url: Type.Optional(Text(2_048)), ...members },
  { title: 'UpdateWebhookEndpoint', ...closed },
);
export type UpdateEndpoint = Static<typeof UpdateEndpoint>;

export const EndpointPath = Type.Object({ id: PathId('The partner'), endpoint_id: PathId('The endpoint') });
export const endpointList = {
  kind: 'webhook_endpoint',
  sortable: { created_at: 'timestamp', updated_at: 'timestamp' },
  filters: {
    environment: { description: 'Endpoints of this environment', values: [...environments] },
    status: { description: 'Endpoints in this status', values: ['active', 'paused', 'disabled'] },
  },
} as const;
export const EndpointListQuery = listQuery(endpointList);

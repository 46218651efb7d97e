// The wire of webhook endpoints (behaviour W8).
import { type Static, Type } from 'typebox';
import {
  Closed,
  closed,
  NullableArray,
  NullableInteger,
  NullableMoment,
  NullableObject,
  NullableString,
  NullableText,
  Text,
  Timestamp,
} from '../../base/http/schemas.ts';
import { serializer } from '../../base/http/serialization.ts';
import { environments } from '../environments.ts';
import { exampleFilter, NullableEventFilter } from '../filters/schema.ts';
import { CertificateSummary, summaryExample } from './client-certificate/schema.ts';
import { payloads } from './payload.ts';

/** The names of event types in a request. */
export const EventTypeNames = (description: string) =>
  NullableArray(Text(100), description, { maxItems: 100, uniqueItems: true });

const meanings = {
  url: 'Where webhooks are sent, as it is signed and sent: an https URL without credentials and fragment. An operator can allow http',
  newUrl:
    'Where webhooks are sent: an https URL without credentials and fragment. An operator can allow http. It is normalised, and the answer shows the result. A change of scheme, host or port requires `headers` if the endpoint has headers, and `authentication` if it has that',
  event_types:
    'The event types that the endpoint wants. null: every type, including types that are added later',
  ordering:
    '`none`: deliveries do not wait for each other. `strict`: each delivery waits until the one before is delivered or has failed',
  payload:
    '`full`: webhooks have the whole event. `thin`: they lack `data`, which the receiver fetches with GET /partners/{id}/events/{event_id}',
};
const terms = {
  max_concurrency: Type.Integer({
    minimum: 1,
    maximum: 64,
    description: 'The most requests at the same time. Default: 8',
  }),
  rate_limit_per_second: NullableInteger('The most requests in a second. null: no limit', {
    minimum: 1,
    maximum: 1_000,
  }),
  retry_schedule: NullableArray(
    Type.Integer({ minimum: 1, maximum: 2_592_000 }),
    'The seconds from each failed attempt to the next, up to 20 % shorter or longer. []: no second attempt. null: as the platform does',
    { maxItems: 20 },
  ),
  timeout_seconds: NullableInteger('The longest time of an attempt. null: as the platform does', {
    minimum: 1,
    maximum: 300,
  }),
  disable_after_hours: NullableInteger(
    'The endpoint is disabled when every attempt has failed for so long. null: five days',
    { minimum: 1, maximum: 720 },
  ),
};
const visible = { pattern: '^[\\x20-\\x7e]+$', 'x-form': 'printable ASCII' };
const scopes = {
  pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
  'x-form': 'scopes of printable ASCII without " and \\, with one space between them',
};
const visibleText = (maxLength: number, description: string) =>
  Type.String({ ...visible, minLength: 1, maxLength, description });
const nullableText = (maxLength: number, description: string, form = visible) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength, ...form, description });
/** What it has in common, written and shown. */
const client = {
  type: Type.Enum(['oauth2_client_credentials']),
  token_url: Text(
    2_048,
    'Where Concord requests tokens, by POST. The rules for the URL of an endpoint hold for it too',
  ),
  client_id: visibleText(1_000, 'The id by which the token URL knows Concord'),
};
const choices = {
  scope: nullableText(
    1_000,
    'The scopes to ask for, with a space between them. null: none is asked for',
    scopes,
  ),
  audience: nullableText(
    1_000,
    'For whom the token is, where the token URL asks for it. null: it is not sent',
  ),
  client_authentication: Type.Enum(['basic', 'form'], {
    description:
      'How the id and the secret are sent: `basic` in the header Authorization, `form` in the body',
  }),
};
const authenticationMeaning =
  'How Concord gets the access token that its requests have in the header Authorization: OAuth 2.0 client credentials (RFC 6749, section 4.4)';
const Authentication = Type.Object({ ...client, ...choices }, closed);
export type Authentication = Static<typeof Authentication>;
const NewAuthentication = Type.Object(
  {
    ...client,
    client_secret: visibleText(4_096, 'The secret of the client. It is never shown again'),
    ...Type.Partial(Type.Object(choices)).properties,
  },
  closed,
);
export type NewAuthentication = Static<typeof NewAuthentication>;

const authentication = {
  type: 'oauth2_client_credentials',
  token_url: 'https://id.example.com/oauth2/token',
  client_id: 'concord',
  scope: 'webhooks',
  audience: null,
  client_authentication: 'basic',
};
const extras = {
  checkpoint_minutes: NullableInteger(
    'How often a checkpoint is made and sent: a signed statement that shows whether deliveries are missing. null: never',
    { minimum: 1, maximum: 1_440 },
  ),
  batch: NullableObject(
    Type.Object(
      {
        max_events: Type.Integer({ minimum: 2, maximum: 100, description: 'The most events in a request' }),
        max_wait_seconds: Type.Number({
          minimum: 0,
          maximum: 60,
          description: 'How long an event waits for others at most. 0: it goes with those that wait already',
        }),
      },
      closed,
    ),
    'Several events are sent in one request: the body is an array of them, and `Webhook-Id` is that of the batch. null: one event in each request',
  ),
};
const content = {
  url: 'https://hooks.example.com/concord',
  description: 'Stock levels for the warehouse',
  event_types: ['inventory.updated'],
  filter: exampleFilter,
  environment: 'live',
  ordering: 'none',
  max_concurrency: 8,
  rate_limit_per_second: 50,
  retry_schedule: [60, 600, 3_600],
  timeout_seconds: 10,
  disable_after_hours: 48,
  payload: 'full',
  checkpoint_minutes: 60,
  batch: { max_events: 100, max_wait_seconds: 0.5 },
};

const secretTimes = {
  created_at: Timestamp('When the present secret was made'),
  previous_valid_until: NullableMoment(
    'Until when requests are signed with the secret before, too. null: there was none',
  ),
};
const signingSecret = {
  created_at: '2026-01-31T08:00:00.000Z',
  previous_valid_until: null,
};

export const SigningSecret = Closed(
  'SigningSecret',
  {
    secret: Type.String({ description: 'The secret: `whsec_` and base64. Only this answer has it' }),
    ...secretTimes,
  },
  { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD8Qu5Kl6Eha8=', ...signingSecret },
);
export type SigningSecret = Static<typeof SigningSecret>;

export const Endpoint = Closed(
  'WebhookEndpoint',
  {
    id: Type.String(),
    url: Type.String({ description: meanings.url }),
    description: NullableString(),
    event_types: NullableArray(Type.String(), meanings.event_types),
    filter: NullableEventFilter,
    environment: Type.Enum(environments, {
      description: 'The environment of the events that are sent. It cannot be changed',
    }),
    listener: Type.Boolean({
      description: 'Whether its requests go to a command that listens (`concord listen`), not to the URL',
    }),
    ordering: Type.Enum(['none', 'strict'], { description: meanings.ordering }),
    ...terms,
    payload: Type.Enum(payloads, { description: meanings.payload }),
    ...extras,
    header_names: Type.Array(Type.String(), {
      description: 'The names of the headers that are sent with each webhook. Their values are never shown',
    }),
    authentication: NullableObject(
      Authentication,
      `${authenticationMeaning}, without its secret. null: requests have no token`,
    ),
    signing_secret: NullableObject(
      Type.Object(secretTimes, closed),
      'The shared secret with which requests are also signed as Standard Webhooks v1 does. null: there is none',
    ),
    status: Type.Enum(['active', 'paused', 'disabled'], {
      description:
        '`disabled`: every attempt failed for too long, or the receiver answered 410. Deliveries wait unless it is active',
    }),
    client_certificate: NullableObject(
      CertificateSummary,
      'The certificate that Concord shows to receivers that ask for one in TLS. null: there is none',
    ),
    disabled_reason: NullableString('Why the endpoint is disabled. null: it is not disabled'),
    check: Closed('EndpointCheckSummary', {
      status: Type.Enum(['none', 'running', 'passed', 'failed', 'waived'], {
        description: 'The go-live check of the present URL. A change of the URL begins again with `none`',
      }),
      checked_at: NullableMoment('When the last check of the present URL ended, or was waived. null: never'),
      blocks_deliveries: Type.Boolean({
        description:
          'Whether deliveries wait until a check of the present URL passes, or is waived. Only for live endpoints, where the platform requires a check',
      }),
    }),
    created_at: Timestamp(),
    updated_at: Timestamp('When the endpoint last changed'),
  },
  {
    id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
    ...content,
    listener: false,
    header_names: ['X-Tenant'],
    authentication,
    signing_secret: signingSecret,
    status: 'active',
    client_certificate: summaryExample,
    disabled_reason: null,
    check: { status: 'passed', checked_at: '2026-01-31T08:05:00.000Z', blocks_deliveries: false },
    created_at: '2026-01-31T08:00:00.000Z',
    updated_at: '2026-01-31T08:00:00.000Z',
  },
);
export type Endpoint = Static<typeof Endpoint>;
export const toEndpointJson = serializer(Endpoint);

const { properties: members } = Type.Partial(
  Type.Object({
    description: NullableText(2_000),
    event_types: EventTypeNames(meanings.event_types),
    filter: NullableEventFilter,
    ordering: Type.Enum(['none', 'strict'], { description: `${meanings.ordering}. Default: none` }),
    ...terms,
    payload: Type.Enum(payloads, { description: `${meanings.payload}. Default: full` }),
    ...extras,
    headers: Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      maxProperties: 20,
      propertyNames: {
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
        'x-form': "a name of letters, digits and !#$%&'*+.^_`|~- (100 at most)",
      },
      additionalProperties: {
        type: 'string',
        maxLength: 4_096,
        pattern: '^[\\x20-\\x7e]*$',
        'x-form': 'printable ASCII',
      },
      description:
        'Headers to send with each webhook, 8 KiB at most. They are never shown again, and replace all earlier headers',
    }),
    authentication: NullableObject(
      NewAuthentication,
      `${authenticationMeaning}. It replaces the earlier one, and excludes an own header Authorization. Default of \`client_authentication\`: basic. null: requests have no token`,
    ),
  }),
);
export const CreateEndpoint = Closed(
  'CreateWebhookEndpoint',
  {
    url: Text(2_048, meanings.newUrl),
    environment: Type.Optional(
      Type.Enum(environments, {
        description: 'The environment of the events that are sent. Default: live',
      }),
    ),
    ...members,
  },
  {
    ...content,
    headers: { 'X-Tenant': 'nordlys' },
    authentication: { ...authentication, client_secret: 'the secret of the client' },
  },
);
export type CreateEndpoint = Static<typeof CreateEndpoint>;
export const UpdateEndpoint = Closed(
  'UpdateWebhookEndpoint',
  { url: Type.Optional(Text(2_048, meanings.newUrl)), ...members },
  { ordering: 'strict', rate_limit_per_second: null },
);
export type UpdateEndpoint = Static<typeof UpdateEndpoint>;

/** No body means no choice. */
export const ResumeEndpoint = NullableObject(
  Closed(
    'ResumeEndpoint',
    {
      send_now: Type.Optional(
        Type.Boolean({
          description: 'Whether deliveries that wait for a retry are sent now. Default: false',
        }),
      ),
    },
    { send_now: true },
  ),
);

export const RotateSigningSecret = NullableObject(
  Closed(
    'RotateSigningSecret',
    {
      secret: Type.Optional(
        Text(
          100,
          'A secret that receivers have already: `whsec_` and the base64 of 24 to 64 bytes. Default: a new one',
        ),
      ),
    },
    { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD8Qu5Kl6Eha8=' },
  ),
);

export const endpointList = {
  kind: 'webhook_endpoint',
  sortable: { created_at: 'timestamp', updated_at: 'timestamp' },
  filters: {
    environment: { description: 'Endpoints of this environment', values: environments },
    state: {
      description:
        'Endpoints in this state. `failing`: active, and its last attempts all failed. `fails_in_part`: active, and some of them failed. ' +
        '`active`: neither. Needs the permission to list deliveries',
      values: ['active', 'failing', 'fails_in_part', 'paused', 'disabled'],
    },
    text: 'Endpoints whose URL or description has this text. Upper and lower case are the same',
    status: { description: 'Endpoints in this status', values: ['active', 'paused', 'disabled'] },
  },
} as const;

// The wire of sign-in by identity connections.
import { type Static, Type } from 'typebox';
import { Text, Timestamp } from '../../../base/http/schemas.ts';
import { SignedIn } from '../../../people/index.ts';

const closed = { additionalProperties: false };
const email = 'ann@nordlys.example';
const connectionId = 'idc_01h2xcejqtf2nbrexx3vqjhp41';
const partnerId = 'ptr_01h2xcejqtf2nbrexx3vqjhp41';

export const AskMethods = Type.Object(
  { email: Text(254) },
  { title: 'AskSignInMethods', examples: [{ email }], ...closed },
);
export const Methods = Type.Object(
  {
    connection: Type.Unsafe<{ id: string; name: string } | null>({
      type: ['object', 'null'],
      properties: { id: { type: 'string', pattern: '^idc_' }, name: { type: 'string' } },
      required: ['id', 'name'],
      ...closed,
      description: 'The identity provider of the domain. null: there is none',
    }),
  },
  {
    title: 'SignInMethods',
    examples: [{ connection: { id: connectionId, name: 'Nordlys Entra ID' } }],
    ...closed,
  },
);
export const SignInWithConnection = Type.Object(
  { email: Type.Optional(Text(254)), connection_id: Type.Optional(Text(64)) },
  { title: 'SignInWithConnection', examples: [{ email }], minProperties: 1, maxProperties: 1, ...closed },
);
export const Prove = Type.Object(
  { partner_id: Text(64) },
  { title: 'ProveSignIn', examples: [{ partner_id: partnerId }], ...closed },
);
export const LinkConnection = Type.Object(
  { code: Text(64, 'The `linkCode` of the answer') },
  { title: 'LinkConnection', examples: [{ code: 'q3Vn8sT1xkZ5bW0yRj7LmC2dPf6Gh4Ae' }], ...closed },
);
export const Proved = Type.Object(
  { proved: Type.String({ pattern: '^ptr_', description: 'The partner whose proof the session has now' }) },
  { title: 'ProvedSignIn', examples: [{ proved: partnerId }], ...closed },
);
/** Providers may send more, which is not read. */
export const ConnectionReturn = Type.Object({
  code: Type.Optional(Text(8_192)),
  state: Type.Optional(Text(1_024)),
  error: Type.Optional(Type.String({ maxLength: 1_024 })),
  iss: Type.Optional(Type.String({ maxLength: 2_048 })),
});
export type ConnectionReturn = Static<typeof ConnectionReturn>;

/** The answer of a visit: one of these. */
export const Returned = Type.Object(
  {
    ...SignedIn.properties,
    linkCode: Type.Optional(
      Type.String({ description: 'Sign in to the account of your address, and link it with this code' }),
    ),
    proved: Type.Optional(Proved.properties.proved),
    tested: Type.Optional(
      Type.String({ pattern: '^idc_', description: 'The connection that passed its test' }),
    ),
  },
  {
    title: 'ReturnedFromConnection',
    examples: [{ linkCode: 'q3Vn8sT1xkZ5bW0yRj7LmC2dPf6Gh4Ae' }],
    ...closed,
  },
);

/** Providers may send more, which is not read. */
export const LogoutToken = Type.Object(
  { logout_token: Text(16_384) },
  {
    title: 'LogoutToken',
    examples: [{ logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2ln' }],
  },
);
export const LoggedOut = Type.Object(
  { status: Type.Literal(true) },
  { title: 'LoggedOutByConnection', examples: [{ status: true }], ...closed },
);

export const SignInPolicy = Type.Object(
  {
    sso_required: Type.Boolean({
      description: 'Agreements of the partner work only in sessions that its identity provider proved',
    }),
    max_age_seconds: Type.Integer({
      minimum: 300,
      maximum: 2_592_000,
      description: 'How long such a proof counts',
    }),
    sso_required_agreement_ids: Type.Array(Type.String({ pattern: '^agr_' }), {
      maxItems: 1_000,
      uniqueItems: true,
      description: 'Agreements of which it is required, whatever the partner requires of all',
    }),
    break_glass_agreement_ids: Type.Array(Type.String({ pattern: '^agr_' }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Agreements of owners who may work without the identity provider, after saying so',
    }),
  },
  {
    title: 'SignInPolicy',
    examples: [
      {
        sso_required: true,
        max_age_seconds: 43_200,
        sso_required_agreement_ids: [],
        break_glass_agreement_ids: ['agr_01h2xcejqtf2nbrexx3vqjhp41'],
      },
    ],
    ...closed,
  },
);
export type SignInPolicy = Static<typeof SignInPolicy>;

export const MayBreakGlass = Type.Object(
  { allowed: Type.Boolean({ description: 'Whether the caller may break the glass, with a second factor' }) },
  { title: 'MayBreakGlass', examples: [{ allowed: true }], ...closed },
);
export const BreakGlass = Type.Object(
  { reason: Text(500, 'What happened. All owners read it') },
  { title: 'BreakGlass', examples: [{ reason: 'The identity provider does not answer.' }], ...closed },
);
export const BrokenGlass = Type.Object(
  { until: Timestamp('When the access without the identity provider ends') },
  { title: 'BrokenGlass', examples: [{ until: '2026-01-31T09:00:00.000Z' }], ...closed },
);

// The wire of sign-in by identity connections.
import { type Static, Type } from 'typebox';
import {
  Closed,
  closed,
  exampleId,
  GivenId,
  Id,
  NullableObject,
  Text,
  Timestamp,
} from '../../../base/http/schemas.ts';
import { SignedIn } from '../../../people/index.ts';
import { maxAgreements } from '../../store.ts';

const email = 'ann@nordlys.example';
const connectionId = exampleId('idc');
const partnerId = exampleId('ptr');

export const AskMethods = Closed('AskSignInMethods', { email: Text(254) }, { email });
export const Methods = Closed(
  'SignInMethods',
  {
    connection: NullableObject(
      Type.Object({ id: Id('idc'), name: Type.String() }, closed),
      'The identity provider of the domain. null: there is none',
    ),
  },
  { connection: { id: connectionId, name: 'Nordlys Entra ID' } },
);
export const SignInWithConnection = Type.Object(
  { email: Type.Optional(Text(254)), connection_id: Type.Optional(Text(64)) },
  { title: 'SignInWithConnection', examples: [{ email }], minProperties: 1, maxProperties: 1, ...closed },
);
export type SignInWithConnection = Static<typeof SignInWithConnection>;
export const Prove = Closed('ProveSignIn', { partner_id: Text(64) }, { partner_id: partnerId });
export const LinkConnection = Closed(
  'LinkConnection',
  { code: Text(64, 'The `linkCode` of the answer') },
  { code: 'q3Vn8sT1xkZ5bW0yRj7LmC2dPf6Gh4Ae' },
);
export const Proved = Closed(
  'ProvedSignIn',
  { proved: Id('ptr', 'The partner whose proof the session has now') },
  { proved: partnerId },
);
/** The answer of a visit: one of these. */
export const Returned = Closed(
  'ReturnedFromConnection',
  {
    ...SignedIn.properties,
    linkCode: Type.Optional(
      Type.String({ description: 'Sign in to the account of your address, and link it with this code' }),
    ),
    proved: Type.Optional(Proved.properties.proved),
    tested: Type.Optional(Id('idc', 'The connection that passed its test')),
  },
  { linkCode: 'q3Vn8sT1xkZ5bW0yRj7LmC2dPf6Gh4Ae' },
);

/** Providers may send more, which is not read. */
export const LogoutToken = Type.Object(
  { logout_token: Text(16_384) },
  {
    title: 'LogoutToken',
    examples: [{ logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2ln' }],
  },
);
export const LoggedOut = Closed('LoggedOutByConnection', { status: Type.Literal(true) }, { status: true });

export const SignInPolicy = Closed(
  'SignInPolicy',
  {
    sso_required: Type.Boolean({
      description: 'Agreements of the partner work only in sessions that its identity provider proved',
    }),
    max_age_seconds: Type.Integer({
      minimum: 300,
      maximum: 2_592_000,
      description: 'How long such a proof counts',
    }),
    sso_required_agreement_ids: Type.Array(GivenId('agr'), {
      maxItems: maxAgreements,
      uniqueItems: true,
      description: 'Agreements that require it even if the partner does not require it of all',
    }),
    break_glass_agreement_ids: Type.Array(GivenId('agr'), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Agreements of owners who may work without the identity provider in an emergency',
    }),
  },
  {
    sso_required: true,
    max_age_seconds: 43_200,
    sso_required_agreement_ids: [],
    break_glass_agreement_ids: [exampleId('agr')],
  },
);
export type SignInPolicy = Static<typeof SignInPolicy>;

export const MayBreakGlass = Closed(
  'MayBreakGlass',
  {
    allowed: Type.Boolean({
      description: 'Whether the caller may use break glass, which requires a second factor',
    }),
  },
  { allowed: true },
);
export const BreakGlass = Closed(
  'BreakGlass',
  { reason: Text(500, 'What happened. All owners read it') },
  { reason: 'The identity provider does not answer.' },
);
export const BrokenGlass = Closed(
  'BrokenGlass',
  { until: Timestamp('When the access without the identity provider ends') },
  { until: '2026-01-31T09:00:00.000Z' },
);

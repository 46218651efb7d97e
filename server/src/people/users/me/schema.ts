// The wire of the caller.
import { type Static, Type } from 'typebox';
import { AclPermissionSchema } from '../../../access/permissions/index.ts';
import { Closed, closed, exampleId, NullableMoment, Text, Timestamp } from '../../../base/http/schemas.ts';
import { identity, PartnerIds } from '../schema.ts';

const Credential = Type.Object(
  {
    kind: Type.Enum(['session', 'token'], { description: '`token`: an access token' }),
    id: Type.String(),
    expires_at: Timestamp('When it stops working. A session that is used is extended.'),
    scopes: Type.Union([Type.Array(AclPermissionSchema), Type.Null()], {
      description: 'What limits an access token. null: a session, which has no such limit',
    }),
    partner_ids: PartnerIds('The access token works only with these partners. null: no such limit'),
    second_factor_proven: Type.Boolean({ description: 'Always false if you have no second factor' }),
    proven_at: NullableMoment(
      'When this session last proved every factor that you have. For ten minutes it may make changes that answer 403 `step_up_required` without a proof. null: never, or an access token',
    ),
  },
  { description: 'What this request was sent with', ...closed },
);

export const Me = Closed(
  'Me',
  {
    ...identity,
    two_factor_enabled: Type.Boolean(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    credential: Credential,
  },
  {
    id: exampleId('usr'),
    email: 'ann@nordlys.example',
    name: 'Ann Lee',
    email_verified: true,
    role: 'user',
    two_factor_enabled: true,
    created_at: '2026-01-31T08:00:00.000Z',
    updated_at: '2026-02-14T13:05:09.120Z',
    credential: {
      kind: 'session',
      id: '0f1c5a52-6f4e-4b0b-9d3a-2c8e7f61b9d4',
      expires_at: '2026-02-21T13:05:09.120Z',
      scopes: null,
      partner_ids: null,
      second_factor_proven: true,
      proven_at: '2026-02-14T13:05:09.120Z',
    },
  },
);
export type Me = Static<typeof Me>;

export const UpdateMe = Closed('UpdateMe', { name: Type.Optional(Text(255)) }, { name: 'Ann Lee-Berg' });
export type UpdateMe = Static<typeof UpdateMe>;

// The wire of users, for operators.
import { type Static, Type } from 'typebox';
import {
  Closed,
  exampleId,
  NullableMoment,
  NullableString,
  NullableText,
  Timestamp,
} from '../../base/http/schemas.ts';

const Role = Type.Enum(['operator', 'user'], {
  description: 'Operators may do everything, on every partner',
});

/** Who somebody is, to operators and to themselves. */
export const identity = {
  id: Type.String({ pattern: '^usr_' }),
  email: Type.String(),
  name: Type.String(),
  email_verified: Type.Boolean(),
  role: Role,
};

/** The partners that an access token is limited to. */
export const PartnerIds = (description: string) =>
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', pattern: '^ptr_' },
    description,
  });

export const User = Closed(
  'User',
  {
    ...identity,
    banned: Type.Boolean({ description: 'A ban has no effect after `ban_expires_at`' }),
    ban_reason: NullableString('null: no reason was given'),
    ban_expires_at: NullableMoment('When the ban ends. null: never, or the user is not banned'),
    two_factor_enabled: Type.Boolean(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  {
    id: exampleId('usr'),
    email: 'ann@nordlys.example',
    name: 'Ann Lee',
    email_verified: true,
    role: 'user',
    banned: true,
    ban_reason: 'Shared a password',
    ban_expires_at: '2026-03-01T00:00:00.000Z',
    two_factor_enabled: false,
    created_at: '2026-01-31T08:00:00.000Z',
    updated_at: '2026-02-14T13:05:09.120Z',
  },
);
export type User = Static<typeof User>;
export const sessionExample = {
  id: '0f1c5a52-6f4e-4b0b-9d3a-2c8e7f61b9d4',
  current: false,
  created_at: '2026-01-31T08:00:00.000Z',
  updated_at: '2026-02-02T09:30:00.000Z',
  expires_at: '2026-02-09T09:30:00.000Z',
  ip_address: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  mfa_verified_at: null,
};
export const UserSession = Closed(
  'UserSession',
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'true: the session of this request' }),
    created_at: Timestamp('When the user signed in'),
    updated_at: Timestamp('When the session was last extended'),
    expires_at: Timestamp('7 days after the last extension, and 30 days after the sign-in at most'),
    ip_address: NullableString('The address of the sign-in. null: not known'),
    user_agent: NullableString('The client of the sign-in. null: not known'),
    mfa_verified_at: NullableMoment('When the session proved a second factor. null: never'),
  },
  sessionExample,
);
export const BanUser = Closed(
  'BanUser',
  {
    reason: Type.Optional(NullableText(255, 'Operators see it. null: none. Default: null')),
    expires_at: Type.Optional(NullableMoment('When the ban ends. null: never. Default: null')),
  },
  { reason: 'Shared a password', expires_at: '2040-03-01T00:00:00Z' },
);
export const OrphanQuery = Type.Object({
  orphan: Type.Optional(
    Type.Boolean({ description: 'Allows an operator to remove the last owner of a partner. Default: false' }),
  ),
});
export const SetUserRole = Closed('SetUserRole', { role: Role }, { role: 'operator' });

export const userList = {
  kind: 'user',
  sortable: { email: 'text', name: 'text', created_at: 'timestamp' },
  filters: {
    email: 'Only users whose e-mail contains this text. Ignores case.',
    name: 'Only users whose name contains this text. Ignores case.',
  },
} as const;

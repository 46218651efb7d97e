// The wire of the caller's own account.
import { type Static, Type } from 'typebox';
import { Closed, exampleId, Text, Timestamp } from '../../base/http/schemas.ts';
import { NewPassword, Password, passwordExample } from '../schema.ts';
import { sessionExample, UserSession } from '../users/schema.ts';

export const ChangePassword = Closed(
  'ChangePassword',
  {
    currentPassword: Password,
    newPassword: NewPassword,
    revokeOtherSessions: Type.Optional(
      Type.Boolean({ description: 'Also ends your other sessions and your access tokens. Default: true' }),
    ),
  },
  { currentPassword: passwordExample, newPassword: 'seven bright lamps in Bergen' },
);
export const ChangeEmail = Closed(
  'ChangeEmail',
  { newEmail: Text(254) },
  { newEmail: 'ann.lee@nordlys.example' },
);
export const DeleteUser = Closed(
  'DeleteUser',
  {
    password: Type.Optional(
      Text(128, 'The current password. Absent: a mail with a link asks you to confirm the deletion'),
    ),
  },
  { password: passwordExample },
);
export const RevokeSession = Closed(
  'RevokeSession',
  { id: Text(64, 'The id of the session') },
  { id: sessionExample.id },
);

export const LinkedAccount = Closed(
  'LinkedAccount',
  {
    id: Type.String(),
    providerId: Type.String({ description: '`credential` for the password, or the name of the provider' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    accountId: Type.String({ description: 'The id of the user at the provider' }),
    userId: Type.String({ pattern: '^usr_', description: 'Your user' }),
    scopes: Type.Array(Type.String(), { description: 'The OAuth scopes that the provider granted' }),
  },
  {
    id: '5b7e0c1a-93d2-4f68-8a11-d0c4e2b7f953',
    providerId: 'google',
    createdAt: '2026-01-31T08:00:00.000Z',
    updatedAt: '2026-01-31T08:00:00.000Z',
    accountId: '108204268033311374519',
    userId: exampleId('usr'),
    scopes: ['openid', 'email', 'profile'],
  },
);
export type LinkedAccount = Static<typeof LinkedAccount>;

const { properties: members } = UserSession;
/** As operators see it, with the names of better-auth. */
export const Session = Closed(
  'Session',
  {
    id: members.id,
    current: members.current,
    createdAt: Timestamp(),
    updatedAt: members.updated_at,
    expiresAt: members.expires_at,
    ipAddress: members.ip_address,
    userAgent: members.user_agent,
    mfaVerifiedAt: members.mfa_verified_at,
  },
  {
    id: sessionExample.id,
    current: true,
    createdAt: sessionExample.created_at,
    updatedAt: sessionExample.updated_at,
    expiresAt: sessionExample.expires_at,
    ipAddress: sessionExample.ip_address,
    userAgent: sessionExample.user_agent,
    mfaVerifiedAt: null,
  },
);

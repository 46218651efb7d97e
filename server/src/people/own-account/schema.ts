// The wire of the caller's own account.
import { Type } from 'typebox';
import { Closed, NullableMoment, NullableString, Text, Timestamp } from '../../base/http/schemas.ts';
import { NewPassword, Password, passwordExample } from '../schema.ts';

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
const sessionId = '0f1c5a52-6f4e-4b0b-9d3a-2c8e7f61b9d4';
export const RevokeSession = Closed(
  'RevokeSession',
  { id: Text(64, 'The id of the session') },
  { id: sessionId },
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
    userId: 'usr_01h2xcejqtf2nbrexx3vqjhp41',
    scopes: ['openid', 'email', 'profile'],
  },
);

export const Session = Closed(
  'Session',
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'true: the session of this request' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp('When the session was last extended'),
    expiresAt: Timestamp('7 days after the last extension, and 30 days after the sign-in at most'),
    ipAddress: NullableString('The address of the sign-in. null: not known'),
    userAgent: NullableString('The client of the sign-in. null: not known'),
    mfaVerifiedAt: NullableMoment('When the session proved a second factor. null: never'),
  },
  {
    id: sessionId,
    current: true,
    createdAt: '2026-01-31T08:00:00.000Z',
    updatedAt: '2026-02-02T09:30:00.000Z',
    expiresAt: '2026-02-09T09:30:00.000Z',
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    mfaVerifiedAt: null,
  },
);

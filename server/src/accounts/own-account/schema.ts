// The wire of one's own account.
import { Type } from 'typebox';
import { NullableString, Text, Timestamp } from '../../http/schemas.ts';
import { NewPassword, Password } from '../schema.ts';

const closed = { additionalProperties: false };

export const ChangePassword = Type.Object(
  {
    currentPassword: Password,
    newPassword: NewPassword,
    revokeOtherSessions: Type.Optional(Type.Boolean({ description: 'Default: true' })),
  },
  { title: 'ChangePassword', ...closed },
);
export const ChangeEmail = Type.Object({ newEmail: Text(254) }, { title: 'ChangeEmail', ...closed });
export const RevokeSession = Type.Object({ id: Text(64) }, { title: 'RevokeSession', ...closed });

const DateTime = Type.String({ format: 'date-time' });
export const LinkedAccount = Type.Object(
  {
    id: Type.String(),
    providerId: Type.String(),
    createdAt: DateTime,
    updatedAt: DateTime,
    accountId: Type.String(),
    userId: Type.String(),
    scopes: Type.Array(Type.String()),
  },
  { title: 'LinkedAccount', ...closed },
);

export const Session = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean(),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    expiresAt: Timestamp(),
    ipAddress: NullableString(),
    userAgent: NullableString(),
    mfaVerifiedAt: NullableString(),
  },
  { title: 'Session', ...closed },
);

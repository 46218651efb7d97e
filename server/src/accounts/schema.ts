// The wire of the account operations: docs/interface.md 2.6, 2.7, 4.4, and what is needed around them.
import { Type } from 'typebox';
import { listQuery } from '../http/lists.ts';
import { NullableMoment, NullableString, NullableText, PathId, Text, Timestamp } from '../http/schemas.ts';

const closed = { additionalProperties: false };
const Token = (description: string) =>
  Type.Optional(Type.String({ maxLength: 400, pattern: '^[A-Za-z0-9._%!=+/-]+$', description }));
/** New passwords have a least length; one that is checked need not. */
const NewPassword = Type.String({ minLength: 12, maxLength: 128, description: '12 to 128 characters' });
const Password = Text(128);

export const SignUp = Type.Object({ name: Text(255), email: Text(254), password: NewPassword }, closed);
export const SignIn = Type.Object(
  {
    email: Text(254),
    password: Password,
    trustDeviceToken: Token('From an earlier second factor: skips it on this device'),
  },
  closed,
);
export const EmailOnly = Type.Object({ email: Text(254) }, closed);
export const VerifyEmail = Type.Object({
  token: Text(2_000, 'From the mail'),
});
export const ResetPassword = Type.Object({ token: Text(400), newPassword: NewPassword }, closed);
export const ChangePassword = Type.Object(
  {
    currentPassword: Password,
    newPassword: NewPassword,
    revokeOtherSessions: Type.Optional(Type.Boolean({ description: 'Default: true' })),
  },
  closed,
);
export const ChangeEmail = Type.Object({ newEmail: Text(254) }, closed);
export const PasswordOnly = Type.Object({ password: Password }, closed);
/** S1: extra members are ignored. */
export const GenerateBackupCodes = Type.Object({ password: Type.String({ maxLength: 128 }) });
export const VerifyTotp = Type.Object(
  {
    code: Type.String({ pattern: '^\\d{6}$' }),
    trustDevice: Type.Optional(Type.Boolean()),
    twoFactorToken: Token('From the sign-in that this completes'),
  },
  closed,
);
export const VerifyBackupCode = Type.Object(
  {
    code: Text(64),
    trustDevice: Type.Optional(Type.Boolean()),
    twoFactorToken: Token('From the sign-in that this completes'),
  },
  closed,
);
export const RevokeSession = Type.Object({ id: Text(64) }, closed);

export const ProviderName = Type.Object({ provider: Type.Enum(['google', 'github', 'microsoft', 'oidc']) }, closed);
export const ProviderPath = Type.Object({ provider: PathId('The provider') });
export const ProviderReturn = Type.Object({
  code: Type.Optional(Text(8_192)),
  state: Type.Optional(Text(1_024)),
  error: Type.Optional(Type.String({ maxLength: 1_024 })),
  iss: Type.Optional(Type.String({ maxLength: 2_048 })),
});
export const Leave = Type.Object({ url: Type.String({ description: 'Send the browser there' }) }, closed);

export const Done = Type.Object({ status: Type.Literal(true) }, closed);
const SignedInUser = Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }, closed);
export const SignedIn = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'Send it as `Authorization: Bearer <token>`' })),
    user: Type.Optional(SignedInUser),
    trustDeviceToken: Type.Optional(Type.String({ description: 'Send it with the next sign-in from this device' })),
    linked: Type.Optional(Type.Literal(true, { description: 'The account of the provider is linked now' })),
    twoFactorRedirect: Type.Optional(Type.Literal(true, { description: 'A second factor is asked for: no token yet' })),
    twoFactorToken: Type.Optional(Type.String({ description: 'Send it with the code' })),
  },
  closed,
);
export const TotpEnrolment = Type.Object({ totpURI: Type.String(), backupCodes: Type.Array(Type.String()) }, closed);
export const TotpUri = Type.Object({ totpURI: Type.String() }, closed);
export const NewToken = Type.Object({ token: Type.String({ description: 'It takes the place of the one you sent' }) }, closed);
export const BackupCodes = Type.Object({ status: Type.Boolean(), backupCodes: Type.Array(Type.String()) }, closed);

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

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    email_verified: Type.Boolean(),
    role: Type.Enum(['operator', 'user']),
    banned: Type.Boolean(),
    ban_reason: NullableString(),
    ban_expires_at: NullableString(),
    two_factor_enabled: Type.Boolean(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'User', ...closed },
);
export const UserPath = Type.Object({ id: PathId('The user') });
export const Ban = Type.Object(
  {
    reason: Type.Optional(NullableText(255)),
    expires_at: Type.Optional(NullableMoment('When the ban ends by itself; null: never')),
  },
  closed,
);
export const OrphanQuery = Type.Object({
  orphan: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Also when a partner loses its last owner by it (operators)' }),
  ),
});
export const Role = Type.Object({ role: Type.Enum(['operator', 'user']) }, closed);
export const userList = {
  kind: 'user',
  sortable: { email: 'text', name: 'text', created_at: 'timestamp' },
  filters: {
    email: 'Users whose e-mail contains this text, in any case',
    name: 'Users whose name contains this text, in any case',
  },
} as const;
export const UserListQuery = listQuery(userList);

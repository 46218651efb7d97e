// The wire of signing up and in.
import { Type } from 'typebox';
import { PathId, Text } from '../../http/schemas.ts';
import { CarriedToken, NewPassword, Password } from '../schema.ts';

const closed = { additionalProperties: false };

export const SignUp = Type.Object({ name: Text(255), email: Text(254), password: NewPassword }, { title: 'SignUp', ...closed });
export const SignIn = Type.Object(
  {
    email: Text(254),
    password: Password,
    trustDeviceToken: CarriedToken('From an earlier second factor: skips it on this device'),
  },
  { title: 'SignIn', ...closed },
);
export const EmailOnly = Type.Object({ email: Text(254) }, { title: 'EmailOnly', ...closed });
export const VerifyEmail = Type.Object({
  token: Text(2_000, 'From the mail'),
});
export const ResetPassword = Type.Object({ token: Text(400), newPassword: NewPassword }, { title: 'ResetPassword', ...closed });

export const ProviderName = Type.Object(
  { provider: Type.Enum(['google', 'github', 'microsoft', 'oidc']) },
  { title: 'ProviderName', ...closed },
);
export const ProviderPath = Type.Object({ provider: PathId('The provider') });
export const ProviderReturn = Type.Object({
  code: Type.Optional(Text(8_192)),
  state: Type.Optional(Text(1_024)),
  error: Type.Optional(Type.String({ maxLength: 1_024 })),
  iss: Type.Optional(Type.String({ maxLength: 2_048 })),
});
export const ProviderRedirect = Type.Object(
  { url: Type.String({ description: 'Send the browser there' }) },
  { title: 'ProviderRedirect', ...closed },
);

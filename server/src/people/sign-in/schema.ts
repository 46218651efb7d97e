// The wire of sign-up and sign-in.
import { Type } from 'typebox';
import { Text } from '../../base/http/schemas.ts';
import { CarriedToken, NewPassword, Password, passwordExample } from '../schema.ts';

const closed = { additionalProperties: false };
const email = 'ann@nordlys.example';

export const SignUp = Type.Object(
  { name: Text(255), email: Text(254), password: NewPassword },
  { title: 'SignUp', examples: [{ name: 'Ann Lee', email, password: passwordExample }], ...closed },
);
export const SignIn = Type.Object(
  {
    email: Text(254),
    password: Password,
    trustDeviceToken: CarriedToken(
      'From an earlier sign-in with a second factor. Skips the second factor on this device.',
    ),
  },
  { title: 'SignIn', examples: [{ email, password: passwordExample }], ...closed },
);
export const SetUp = Type.Object(
  { token: Text(64, 'The token in the link that the start printed, behind the #'), password: NewPassword },
  {
    title: 'SetUp',
    examples: [{ token: 'Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3Jh', password: passwordExample }],
    ...closed,
  },
);
export const EmailOnly = Type.Object(
  { email: Text(254) },
  { title: 'EmailOnly', examples: [{ email }], ...closed },
);
export const ProviderName = Type.Object(
  {
    provider: Type.Enum(['google', 'github', 'microsoft', 'oidc'], {
      description: 'A provider that is configured',
    }),
  },
  { title: 'ProviderName', examples: [{ provider: 'google' }], ...closed },
);
export const UnlinkAccount = Type.Object(
  { id: Text(64, 'The id of the linked account, from list-accounts') },
  { title: 'UnlinkAccount', examples: [{ id: '5b7e0c1a-93d2-4f68-8a11-d0c4e2b7f953' }], ...closed },
);
export const ProviderReturn = Type.Object({
  code: Type.Optional(Text(8_192)),
  state: Type.Optional(Text(1_024)),
  error: Type.Optional(Type.String({ maxLength: 1_024 })),
  iss: Type.Optional(Type.String({ maxLength: 2_048 })),
});
export const ProviderCode = Type.Object(
  { code: Text(64, 'The code in the fragment of the page') },
  { title: 'ProviderCode', examples: [{ code: 'q3Vn8sT1xkZ5bW0yRj7LmC2dPf6Gh4Ae' }], ...closed },
);
export const ProviderRedirect = Type.Object(
  { url: Type.String({ description: 'Redirect the browser to this URL.' }) },
  {
    title: 'ProviderRedirect',
    examples: [{ url: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=concord&state=kT9vQm2x' }],
    ...closed,
  },
);

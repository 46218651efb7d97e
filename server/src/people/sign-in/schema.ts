// The wire of sign-up and sign-in.
import { type Static, Type } from 'typebox';
import { Closed, Text } from '../../base/http/schemas.ts';
import { CarriedToken, NewPassword, Password, passwordExample } from '../schema.ts';

const email = 'ann@nordlys.example';

export const SignUp = Closed(
  'SignUp',
  { name: Text(255), email: Text(254), password: NewPassword },
  { name: 'Ann Lee', email, password: passwordExample },
);
export const SignIn = Closed(
  'SignIn',
  {
    email: Text(254),
    password: Password,
    trustDeviceToken: CarriedToken(
      'From an earlier sign-in with a second factor. Skips the second factor on this device.',
    ),
  },
  { email, password: passwordExample },
);
export const SetUp = Closed(
  'SetUp',
  { token: Text(64, 'The token in the link that the start printed, behind the #'), password: NewPassword },
  { token: 'Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3Jh', password: passwordExample },
);
export const EmailOnly = Closed('EmailOnly', { email: Text(254) }, { email });
export const ProviderName = Closed(
  'ProviderName',
  {
    provider: Type.Enum(['google', 'github', 'microsoft', 'oidc'], {
      description: 'A provider that is configured',
    }),
  },
  { provider: 'google' },
);
export const UnlinkAccount = Closed(
  'UnlinkAccount',
  { id: Text(64, 'The id of the linked account, from list-accounts') },
  { id: '5b7e0c1a-93d2-4f68-8a11-d0c4e2b7f953' },
);
/** Providers may send more, which is not read. */
export const ProviderReturn = Type.Object({
  code: Type.Optional(Text(8_192, 'The code that Concord exchanges for the identity')),
  state: Type.Optional(Text(1_024, 'The value that began the visit')),
  error: Type.Optional(Type.String({ maxLength: 1_024, description: 'Why the provider refused' })),
  error_description: Type.Optional(Type.String({ maxLength: 8_192, description: 'The same, for people' })),
  iss: Type.Optional(Type.String({ maxLength: 2_048, description: 'The issuer that answers (RFC 9207)' })),
});

export const readReturn = (query: Static<typeof ProviderReturn>) =>
  Object.fromEntries(
    Object.entries(query).filter(([name]) => Object.hasOwn(ProviderReturn.properties, name)),
  );
export const ProviderCode = Closed(
  'ProviderCode',
  { code: Text(64, 'The code in the fragment of the page') },
  { code: 'q3Vn8sT1xkZ5bW0yRj7LmC2dPf6Gh4Ae' },
);
export const ProviderRedirect = Closed(
  'ProviderRedirect',
  { url: Type.String({ description: 'Redirect the browser to this URL.' }) },
  { url: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=concord&state=kT9vQm2x' },
);

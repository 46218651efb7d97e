// The wire that the account operations share.
import { Type } from 'typebox';
import { Text } from '../http/schemas.ts';

const closed = { additionalProperties: false };

/** A new password has a least length; one that is only checked does not. */
export const NewPassword = Type.String({ minLength: 12, maxLength: 128, description: '12 to 128 characters' });
export const Password = Text(128);
export const PasswordOnly = Type.Object({ password: Password }, { title: 'PasswordOnly', ...closed });
export const Done = Type.Object({ status: Type.Literal(true) }, { title: 'Done', ...closed });
/** A token that the client got from an earlier step. */
export const CarriedToken = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: 400, pattern: '^[A-Za-z0-9._%!=+/-]+$', 'x-form': 'a token from an earlier answer', description }),
  );
const SignedInUser = Type.Object(
  { id: Type.String(), email: Type.String(), name: Type.String() },
  { title: 'SignedInUser', ...closed },
);
export const SignedIn = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'Send it as `Authorization: Bearer <token>`' })),
    user: Type.Optional(SignedInUser),
    trustDeviceToken: Type.Optional(Type.String({ description: 'Send it with the next sign-in from this device' })),
    linked: Type.Optional(Type.Literal(true, { description: 'The account of the provider is linked now' })),
    twoFactorRedirect: Type.Optional(Type.Literal(true, { description: 'A second factor is asked for: no token yet' })),
    twoFactorToken: Type.Optional(Type.String({ description: 'Send it with the code' })),
  },
  { title: 'SignedIn', ...closed },
);

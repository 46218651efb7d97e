// The wire of the account operations under /api/auth.
import { Type } from 'typebox';
import { Text } from '../http/schemas.ts';

export const SignIn = Type.Object({ email: Text(254), password: Text(128) }, { additionalProperties: false });

const SignedInUser = Type.Object(
  { id: Type.String(), email: Type.String(), name: Type.String() },
  { additionalProperties: false },
);

export const SignedIn = Type.Object(
  { token: Type.String({ description: 'Send it as `Authorization: Bearer <token>`' }), user: SignedInUser },
  { additionalProperties: false },
);

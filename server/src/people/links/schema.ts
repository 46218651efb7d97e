// The wire of links in mails.
import { Type } from 'typebox';
import { Text } from '../../base/http/schemas.ts';
import { NewPassword, passwordExample } from '../schema.ts';

const closed = { additionalProperties: false };
const token = Text(400, 'The token from the mail: what follows `#token=` in its link');
const tokenExample = 'kT9vQm2xW7nRb4LsZ0cYpJdAe5UhGf3o';

export const VerifyEmail = Type.Object(
  {
    token,
    password: Type.Optional(
      Text(
        128,
        'The password of the sign-up, or of the account whose address changes. Absent: the session that asked for the new address sends the request',
      ),
    ),
  },
  { title: 'VerifyEmail', examples: [{ token: tokenExample, password: passwordExample }], ...closed },
);
export const ResetPassword = Type.Object(
  { token, newPassword: NewPassword },
  { title: 'ResetPassword', examples: [{ token: tokenExample, newPassword: passwordExample }], ...closed },
);
export const CheckPasswordReset = Type.Object(
  { token },
  { title: 'CheckPasswordReset', examples: [{ token: tokenExample }], ...closed },
);
export const ConfirmDeletion = Type.Object(
  { token },
  { title: 'ConfirmDeletion', examples: [{ token: tokenExample }], ...closed },
);

// The wire of links in mails.
import { Type } from 'typebox';
import { Closed, Text } from '../../base/http/schemas.ts';
import { NewPassword, passwordExample } from '../schema.ts';

const token = Text(400, 'The token from the mail: what follows `#token=` in its link');
const tokenExample = 'kT9vQm2xW7nRb4LsZ0cYpJdAe5UhGf3o';

export const VerifyEmail = Closed(
  'VerifyEmail',
  {
    token,
    password: Type.Optional(
      Text(
        128,
        'The password of the sign-up, or of the account whose address changes. Absent: the session that asked for the new address sends the request',
      ),
    ),
  },
  { token: tokenExample, password: passwordExample },
);
export const ResetPassword = Closed(
  'ResetPassword',
  { token, newPassword: NewPassword },
  { token: tokenExample, newPassword: passwordExample },
);
export const CheckPasswordReset = Closed('CheckPasswordReset', { token }, { token: tokenExample });
export const ConfirmDeletion = Closed('ConfirmDeletion', { token }, { token: tokenExample });

// The wire of the step-up.
import { Type } from 'typebox';
import { Text } from '../../../base/http/schemas.ts';
import { Password, passwordExample } from '../../schema.ts';

export const StepUp = Type.Object(
  {
    password: Password,
    code: Type.Optional(
      Text(
        64,
        'Six digits from the authenticator app, or a backup code. Required if you have a second factor, refused otherwise.',
      ),
    ),
  },
  { title: 'StepUp', examples: [{ password: passwordExample, code: '492039' }], additionalProperties: false },
);

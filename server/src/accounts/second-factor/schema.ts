// The wire of the second factor.
import { Type } from 'typebox';
import { Text } from '../../http/schemas.ts';
import { CarriedToken } from '../schema.ts';

const closed = { additionalProperties: false };

/** S1: extra members are ignored. */
export const GenerateBackupCodes = Type.Object({ password: Type.String({ maxLength: 128 }) }, { title: 'GenerateBackupCodes' });
export const VerifyTotp = Type.Object(
  {
    code: Type.String({ pattern: '^\\d{6}$', 'x-form': 'six digits' }),
    trustDevice: Type.Optional(Type.Boolean()),
    twoFactorToken: CarriedToken('From the sign-in that this completes'),
  },
  { title: 'VerifyTotp', ...closed },
);
export const VerifyBackupCode = Type.Object(
  {
    code: Text(64),
    trustDevice: Type.Optional(Type.Boolean()),
    twoFactorToken: CarriedToken('From the sign-in that this completes'),
  },
  { title: 'VerifyBackupCode', ...closed },
);

export const TotpEnrolment = Type.Object(
  { totpURI: Type.String(), backupCodes: Type.Array(Type.String()) },
  { title: 'TotpEnrolment', ...closed },
);
export const TotpUri = Type.Object({ totpURI: Type.String() }, { title: 'TotpUri', ...closed });
export const NewToken = Type.Object(
  { token: Type.String({ description: 'It takes the place of the one you sent' }) },
  { title: 'NewToken', ...closed },
);
export const BackupCodes = Type.Object(
  { status: Type.Boolean(), backupCodes: Type.Array(Type.String()) },
  { title: 'BackupCodes', ...closed },
);

// The wire of the step-up, and of the second factor.
import { Type } from 'typebox';
import { Closed, Text } from '../../base/http/schemas.ts';
import { passwordExample } from '../schema.ts';
import { exampleToken, PasskeyProof, twoFactorTokenIfAny } from './passkeys/schema.ts';

const trustDevice = Type.Optional(
  Type.Boolean({
    description: 'Answers with a `trustDeviceToken`, which skips the second factor. Default: false',
  }),
);
const twoFactorToken = twoFactorTokenIfAny;
const codeExamples = ['k3Jx8-Qw2Zp', 'm7Rt4-Lb9Vc'];

export const StepUp = Closed(
  'StepUp',
  {
    password: Type.Optional(Text(128, 'The current password. Required unless the passkey verifies its user')),
    code: Type.Optional(
      Text(
        64,
        'Six digits from the authenticator app, or a backup code. If you have a second factor, this or `passkey` is required.',
      ),
    ),
    passkey: Type.Optional(PasskeyProof),
  },
  { password: passwordExample, code: '492039' },
);
/** S1: additional members are ignored. */
export const GenerateBackupCodes = Type.Object(
  { password: Type.String({ maxLength: 128, description: 'The current password' }) },
  { title: 'GenerateBackupCodes', examples: [{ password: passwordExample }] },
);
export const VerifyTotp = Closed(
  'VerifyTotp',
  {
    code: Type.String({
      pattern: '^\\d{6}$',
      'x-form': 'six digits',
      description: 'Six digits from the authenticator app',
    }),
    trustDevice,
    twoFactorToken,
  },
  { code: '492039', twoFactorToken: exampleToken },
);
export const VerifyBackupCode = Closed(
  'VerifyBackupCode',
  { code: Text(64, 'A backup code that was not used yet'), trustDevice, twoFactorToken },
  { code: codeExamples[0], twoFactorToken: exampleToken },
);

const totpURI = Type.String({
  description: 'The secret as an otpauth URI. Show it as a QR code to the authenticator app.',
});
const totpExample = {
  totpURI: 'otpauth://totp/Concord:ann%40nordlys.example?secret=JBSWY3DPEHPK3PXP&issuer=Concord',
};
const backupCodes = Type.Array(Type.String(), {
  description: 'Each code works once. Only this response shows them.',
});

export const TotpEnrolment = Closed(
  'TotpEnrolment',
  { totpURI, backupCodes },
  { ...totpExample, backupCodes: codeExamples },
);
export const TotpUri = Closed('TotpUri', { totpURI }, totpExample);
export const NewToken = Closed(
  'NewToken',
  { token: Type.String({ description: 'Replaces the session token that you sent' }) },
  { token: 'YXvGkzNp0qJc4mRt7wLh2sBd9fKe5uAi' },
);
export const BackupCodes = Closed(
  'BackupCodes',
  { status: Type.Boolean(), backupCodes },
  { status: true, backupCodes: codeExamples },
);

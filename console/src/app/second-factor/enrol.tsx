// Sets up the second factor: the secret for the authenticator app, the first code, then the backup codes.
import { enrolSecondFactor, type TotpEnrolment, verifyTotp } from '@concord/client';
import { type ReactNode, useState } from 'react';
import { write } from '#api/write.ts';
import { PasswordField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { QrCode } from '#ui/secret/qr-code.tsx';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { Code } from '#ui/text/code.tsx';
import { CodeField, codeIn } from './code-field.tsx';
import css from './second-factor.module.css';

type Props = {
  /** Known when the person has chosen it a moment ago. Otherwise it is asked for. */
  password?: string | undefined;
  /** After the backup codes are kept. The session is a new one, with the proof of the second factor. */
  onDone: () => void;
  beside?: ReactNode;
};

export function EnrolSecondFactor({ password, onDone, beside }: Props) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment | null>(null);
  const [isEnabled, setEnabled] = useState(false);

  if (enrolment === null) {
    return (
      <Form
        submit="Set up the second factor"
        beside={beside}
        onSubmit={async (values) => {
          const body = { password: password ?? values.text('password') };
          setEnrolment(await write(enrolSecondFactor, { body }, { keepsCache: true }));
        }}
      >
        {password === undefined && (
          <PasswordField
            name="password"
            label="Password"
            help="The one of your account."
            required
            autoFocus
          />
        )}
      </Form>
    );
  }
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? '';
  return (
    <div className={css.enrol}>
      <p>Scan this with your authenticator app, or type the key into it.</p>
      <QrCode
        text={enrolment.totpURI}
        label="QR code for your authenticator app. The key below says the same."
      />
      <Code label="Key" text={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
      <Form
        submit="Enable the second factor"
        explain={{
          invalid_code:
            'The code is wrong. Take the one that the app shows now, and check the clock of the phone.',
        }}
        beside={beside}
        onSubmit={async (values) => {
          await write(verifyTotp, { body: { code: codeIn(values) } }, { keepsCache: true });
          setEnabled(true);
        }}
      >
        <CodeField help="The six digits that the app shows now." />
      </Form>
      {isEnabled && (
        <SecretPanel
          title="Your backup codes"
          description="Each signs you in once when the authenticator app is lost. Keep them apart from your password."
          lines={enrolment.backupCodes}
          fileName="concord-backup-codes.txt"
          onClose={onDone}
        />
      )}
    </div>
  );
}

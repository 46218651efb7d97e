// The second step of a sign-in: a code of the authenticator app, or a backup code.
import { verifyBackupCode, verifyTotp } from '@concord/client';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { Button } from '../../../ui/button/button.tsx';
import { CheckField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { codeProblems } from '../messages.ts';

type Props = {
  onDone: () => void;
  /** Back to the password: the sign-in took too long, or it is somebody else's. */
  onRestart: () => void;
};

export function SecondFactorForm({ onDone, onRestart }: Props) {
  const [usesBackup, setUsesBackup] = useState(false);
  return (
    <Page
      title="Second factor"
      about={usesBackup ? 'Each backup code works once.' : 'The six digits that your authenticator app shows.'}
    >
      <Form
        key={String(usesBackup)}
        submit="Continue"
        explain={codeProblems}
        beside={
          <Button look="plain" onClick={() => setUsesBackup(!usesBackup)}>
            {usesBackup ? 'Use the authenticator app' : 'Use a backup code'}
          </Button>
        }
        onSubmit={async (values) => {
          const body = { code: values.text('code').replaceAll(' ', ''), trustDevice: values.isChecked('trustDevice') };
          await (usesBackup ? verifyBackupCode({ client, body }) : verifyTotp({ client, body }));
          onDone();
        }}
      >
        {usesBackup ? (
          <TextField name="code" label="Backup code" autoComplete="off" required autoFocus isCode />
        ) : (
          <TextField
            name="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern=" *[0-9]{3} *[0-9]{3} *"
            title="Six digits"
            required
            autoFocus
            isCode
          />
        )}
        <CheckField name="trustDevice" label="Do not ask for a code on this device for 30 days" />
      </Form>
      <div>
        <Button look="plain" onClick={onRestart}>
          Start again
        </Button>
      </div>
    </Page>
  );
}

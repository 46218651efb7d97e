// The second step of a sign-in: a code of the authenticator app, or a backup code.
import { verifyBackupCode, verifyTotp } from '@concord/client';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { CodeField, codeIn } from '../../../app/second-factor/code-field.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { CheckField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Stack } from '../../../ui/layout/page.tsx';
import { codeProblems } from '../messages.ts';

type Props = {
  onDone: () => void;
  /** Back to the password: the sign-in took too long, or it is somebody else's. */
  onRestart: () => void;
};

export function SecondFactorForm({ onDone, onRestart }: Props) {
  const [usesBackup, setUsesBackup] = useState(false);
  return (
    <Stack>
      <Form
        key={String(usesBackup)}
        submit="Continue"
        explain={codeProblems}
        beside={
          <Button look="plain" onClick={onRestart}>
            Start again
          </Button>
        }
        onSubmit={async (values) => {
          const body = { code: codeIn(values), trustDevice: values.isChecked('trustDevice') };
          await (usesBackup ? verifyBackupCode({ client, body }) : verifyTotp({ client, body }));
          onDone();
        }}
      >
        {usesBackup ? (
          <TextField
            name="code"
            label="Backup code"
            help="Each works once."
            autoComplete="off"
            required
            autoFocus
            isCode
          />
        ) : (
          <CodeField label="Code" help="The six digits that your authenticator app shows." autoFocus />
        )}
        <CheckField name="trustDevice" label="Do not ask for a code on this device for 30 days" />
      </Form>
      <div>
        <Button look="plain" onClick={() => setUsesBackup(!usesBackup)}>
          {usesBackup ? 'Use the authenticator app' : 'Use a backup code'}
        </Button>
      </div>
    </Stack>
  );
}

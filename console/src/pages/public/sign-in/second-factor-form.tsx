// The second step of a sign-in: a code of the authenticator app, or a backup code.
import { verifyBackupCode, verifyTotp } from '@concord/client';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { Button } from '../../../ui/button/button.tsx';
import { CheckField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Page } from '../../../ui/layout/page.tsx';

const explain = {
  invalid_code: 'The code is wrong, or was used already. A new one appears every 30 seconds.',
  invalid_token: 'The sign-in took too long. Start again.',
};

export function SecondFactorForm({ onDone }: { onDone: () => void }) {
  const [usesBackup, setUsesBackup] = useState(false);
  return (
    <Page
      title="Second factor"
      about={usesBackup ? 'Each backup code works once.' : 'The six digits that your authenticator app shows.'}
    >
      <Form
        key={String(usesBackup)}
        submit="Continue"
        explain={explain}
        beside={
          <Button look="plain" onClick={() => setUsesBackup(!usesBackup)}>
            {usesBackup ? 'Use the authenticator app' : 'Use a backup code'}
          </Button>
        }
        onSubmit={async (values) => {
          const body = { code: values.text('code').trim(), trustDevice: values.isChecked('trustDevice') };
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
            pattern="[0-9]{6}"
            required
            autoFocus
            isCode
          />
        )}
        <CheckField name="trustDevice" label="Do not ask for a code on this device for 30 days" />
      </Form>
    </Page>
  );
}

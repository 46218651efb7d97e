// Asks for a passkey, or for the password, and for a code of the second factor if the person has one.
import { type PasskeyProof, stepUp } from '@concord/client';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { stepUpQuestion } from '#api/questions.ts';
import { isCode } from '#api/read.ts';
import { passkeyProblems } from '#messages/passkeys.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { PasswordField, TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { PasskeyButton } from './passkeys/passkey-button.tsx';
import { askForPasskey, useWays } from './second-factor/ways.ts';
import { useMe } from './session.ts';

export function StepUpDialog() {
  const question = stepUpQuestion.useValue();
  return question && <Ask onAnswer={question.answer} />;
}

function Ask({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const me = useMe();
  const ways = useWays({ enabled: me.two_factor_enabled });
  // One that has not verified its user: the password is needed too.
  const [weak, setWeak] = useState<PasskeyProof | null>(null);
  async function prove(passkey: PasskeyProof) {
    try {
      await stepUp({ client, body: { passkey } });
      onAnswer(true);
    } catch (error) {
      if (!isCode(error, 'invalid_request')) throw error;
      setWeak(passkey);
    }
  }
  return (
    <Dialog
      title="Is it you?"
      description="What you are about to do needs a fresh proof. It counts for ten minutes."
      onClose={() => onAnswer(false)}
      staysOpen
    >
      {ways?.passkey && weak === null && (
        <PasskeyButton label="Use a passkey" ask={askForPasskey} onProof={prove} />
      )}
      <Form
        submit="Continue"
        beside={<Button onClick={() => onAnswer(false)}>Cancel</Button>}
        explain={passkeyProblems}
        onSubmit={async (values) => {
          const code = values.optional('code');
          await stepUp({
            client,
            body: {
              password: values.text('password'),
              ...(weak !== null ? { passkey: weak } : code !== null && { code }),
            },
          });
          onAnswer(true);
        }}
      >
        <PasswordField name="password" label="Password" required autoFocus />
        {me.two_factor_enabled && weak === null && (
          <TextField
            name="code"
            label={ways?.app === false ? 'Backup code' : 'Code'}
            help={ways?.app === false ? 'Each works once.' : 'From your authenticator app.'}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            isCode
          />
        )}
      </Form>
    </Dialog>
  );
}

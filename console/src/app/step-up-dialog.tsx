// Asks for the password, and for a code of the second factor if the person has one.
import { stepUp } from '@concord/client';
import { useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { readQuestion, subscribeToQuestions } from '../api/proof.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { PasswordField, TextField } from '../ui/form/field.tsx';
import { Form } from '../ui/form/form.tsx';
import { useMe } from './session.ts';

export function StepUpDialog() {
  const question = useSyncExternalStore(subscribeToQuestions, readQuestion);
  return question && <Ask onAnswer={question.answer} />;
}

function Ask({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const me = useMe();
  return (
    <Dialog
      title="Is it you?"
      description="What you are about to do needs a fresh proof. It counts for ten minutes."
      onClose={() => onAnswer(false)}
      staysOpen
    >
      <Form
        submit="Continue"
        explain={{
          invalid_password: 'The password is wrong.',
          invalid_code: 'The code is wrong, or was used already.',
        }}
        onSubmit={async (values) => {
          const code = values.optional('code');
          await stepUp({
            client,
            body: { password: values.text('password'), ...(code !== null && { code }) },
          });
          onAnswer(true);
        }}
      >
        <PasswordField name="password" label="Password" required autoFocus />
        {me.two_factor_enabled && (
          <TextField
            name="code"
            label="Code"
            help="From your authenticator app."
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

// Sign up or sign in with the invited address. The token proves the address, so no second mail follows.
import { type Invitation, signIn, signUp } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { isCode } from '#api/read.ts';
import { TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { EmailField, NewPasswordField } from '../fields.tsx';
import { PasswordForm } from '../sign-in/password-form.tsx';
import { Providers } from '../sign-in/providers.tsx';
import { SecondFactorForm } from '../sign-in/second-factor-form.tsx';
import { answerProblems } from './messages.ts';

type Props = { invitation: Invitation; token: string; onSignedIn: (password: string) => void };

export function Join({ invitation, token, onSignedIn }: Props) {
  const { email } = invitation;
  const [hasAccount, setHasAccount] = useState(invitation.has_account);
  const [passwordOfChallenge, setChallenge] = useState<string | null>(null);
  if (passwordOfChallenge !== null) {
    return (
      <Section title="Second factor">
        <SecondFactorForm
          onDone={() => onSignedIn(passwordOfChallenge)}
          onRestart={() => setChallenge(null)}
        />
      </Section>
    );
  }
  if (hasAccount) {
    return (
      <Section title="Sign in to answer" about="You have an account with this address.">
        <PasswordForm email={email} onDone={onSignedIn} onNeedsCode={setChallenge} />
        <Providers returnTo="/" />
        <p>
          <Link to="/forgot">Forgot the password?</Link> The invitation waits: it is on your first page too.
        </p>
      </Section>
    );
  }
  return (
    <Section
      title="Create your account to answer"
      about="Your address is proven by the link that you opened. No other mail follows."
    >
      <Form
        submit="Create the account"
        explain={answerProblems}
        onSubmit={async (values) => {
          const password = values.text('password');
          const body = { name: values.text('name').trim(), email, password };
          try {
            await signUp({ client, body, headers: { 'invitation-token': token } });
          } catch (error) {
            if (isCode(error, 'account_exists')) setHasAccount(true);
            throw error;
          }
          await signIn({ client, body: { email, password } });
          onSignedIn(password);
        }}
      >
        <EmailField value={email} readOnly />
        <TextField name="name" label="Your name" autoComplete="name" maxLength={100} required />
        <NewPasswordField />
      </Form>
    </Section>
  );
}

// Sign in: the password, then the second factor, or a provider.
import { signIn } from '@concord/client';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { PasswordField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

const explain = {
  invalid_credentials: 'The e-mail address or the password is wrong.',
  email_not_verified: 'Your address is not confirmed yet. Open the link in the mail that was sent to you.',
};

export function SignInPage() {
  const { return: path } = useSearch({ strict: false }) as { return?: string };
  const [needsCode, setNeedsCode] = useState(false);
  if (needsCode) return <SecondFactorForm onDone={() => enterConsole(path)} />;
  return (
    <Page title="Sign in">
      <Form
        submit="Sign in"
        explain={explain}
        onSubmit={async (values) => {
          const answer = await signIn({
            client,
            body: { email: values.text('email').trim(), password: values.text('password') },
          });
          if (answer?.twoFactorRedirect) setNeedsCode(true);
          else enterConsole(path);
        }}
      >
        <TextField name="email" label="E-mail address" type="email" autoComplete="username" required autoFocus />
        <PasswordField name="password" label="Password" required />
      </Form>
      <p>
        <Link to="/forgot">Forgot the password?</Link>
      </p>
    </Page>
  );
}

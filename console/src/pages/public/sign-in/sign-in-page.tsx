// Sign in: the password, then the second factor, or a provider.
import { signIn } from '@concord/client';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { isCode } from '../../../api/read.ts';
import { useSettings } from '../../../app/settings.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { PasswordField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';
import { signInProblems } from '../messages.ts';
import { Providers } from './providers.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

export function SignInPage() {
  const { return: path } = useSearch({ strict: false }) as { return?: string };
  const settings = useSettings();
  const [needsCode, setNeedsCode] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  if (needsCode) return <SecondFactorForm onDone={() => enterConsole(path)} onRestart={() => setNeedsCode(false)} />;
  return (
    <Page title="Sign in">
      {settings?.set_up === false && (
        <Banner tone="info" title="Concord is not set up yet">
          <p>Open the link that Concord printed when it started. Start it again to have a new link printed.</p>
        </Banner>
      )}
      {settings?.cookie_sign_in.allowed === false && (
        <Banner tone="bad" title="Nobody can sign in at this address">
          <p>{settings.cookie_sign_in.reason}</p>
        </Banner>
      )}
      {path !== undefined && path !== '/' && <p>Sign in to go on to the page that you asked for.</p>}
      <Form
        submit="Sign in"
        explain={signInProblems}
        onSubmit={async (values) => {
          try {
            const answer = await signIn({
              client,
              body: { email: values.text('email').trim(), password: values.text('password') },
            });
            if (answer.twoFactorRedirect) setNeedsCode(true);
            else enterConsole(path);
          } catch (error) {
            setHasFailed(isCode(error, 'invalid_credentials'));
            throw error;
          }
        }}
      >
        <TextField name="email" label="E-mail address" type="email" autoComplete="username" required autoFocus />
        <PasswordField name="password" label="Password" required />
      </Form>
      <Providers returnTo={path} />
      <p>
        <Link to="/forgot">Forgot the password?</Link>
      </p>
      {hasFailed && (
        <p>
          You signed up, and have not confirmed the address yet? <Link to="/verify">Have the mail sent again</Link>
        </p>
      )}
    </Page>
  );
}

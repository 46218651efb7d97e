// Sign in: the password, then the second factor, or a passkey, or a provider.
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAsked } from '#app/address.ts';
import { canUsePasskeys } from '#app/passkeys/can-use.ts';
import { useSettings } from '#app/settings.ts';
import { Banner, Skeleton } from '#ui/feedback/feedback.tsx';
import { hasDrafts } from '#ui/form/unsaved.ts';
import { Page } from '#ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';
import { PasswordForm } from './password-form.tsx';

// The first page is smaller without what few sign-ins need.
const Company = lazy(async () => ({ default: (await import('./company.tsx')).Company }));
const Providers = lazy(async () => ({ default: (await import('./providers.tsx')).Providers }));
const PasskeySignIn = lazy(async () => ({
  default: (await import('./passkey-sign-in.tsx')).PasskeySignIn,
}));
const SecondFactorForm = lazy(async () => ({
  default: (await import('./second-factor-form.tsx')).SecondFactorForm,
}));

export function SignInPage() {
  const { return: path } = useAsked();
  const settings = useSettings();
  const [needsCode, setNeedsCode] = useState(false);
  const [email, setEmail] = useState('');
  const [hasFailed, setHasFailed] = useState(false);
  const [isKept] = useState(hasDrafts);
  const enter = () => enterConsole(path);
  if (needsCode) {
    return (
      <Page key="code" title="Second factor">
        <Suspense fallback={<Skeleton />}>
          <SecondFactorForm onDone={enter} onRestart={() => setNeedsCode(false)} />
        </Suspense>
      </Page>
    );
  }
  return (
    <Page title="Sign in">
      {isKept && (
        <Banner tone="info" title="Your session has ended">
          What you typed is kept. After you sign in, the same form has it again.
        </Banner>
      )}
      {settings?.set_up === false && (
        <Banner tone="info" title="Concord is not set up yet">
          Open the link that Concord printed when it started. Start it again to have a new link printed.
        </Banner>
      )}
      {settings?.cookie_sign_in.allowed === false && (
        <Banner tone="bad" title="Nobody can sign in at this address">
          {settings.cookie_sign_in.reason}
        </Banner>
      )}
      <Suspense>{email !== '' && <Company email={email} returnTo={path} />}</Suspense>
      <PasswordForm
        onEmail={setEmail}
        onDone={enter}
        onNeedsCode={() => setNeedsCode(true)}
        onWrong={() => setHasFailed(true)}
      />
      {canUsePasskeys() && settings?.cookie_sign_in.allowed && (
        <Suspense fallback={<Skeleton lines={1} />}>
          <PasskeySignIn onDone={enter} />
        </Suspense>
      )}
      {settings !== null && settings.providers.length > 0 && (
        <Suspense>
          <Providers returnTo={path} />
        </Suspense>
      )}
      <p>
        <Link to="/forgot">Forgot the password?</Link>
      </p>
      {hasFailed && (
        <p>
          You signed up, and have not confirmed the address yet? <Link to="/verify">Send the mail again</Link>
        </p>
      )}
    </Page>
  );
}

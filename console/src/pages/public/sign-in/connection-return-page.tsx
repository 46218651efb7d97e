// Back from the identity provider of a partner: the session has its proof, a test has passed, or an account waits
// to be linked.
import { getMe, linkConnection } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useRead } from '#api/read.ts';
import { forgetVisit, hasLeft, keepLink, readLink, takeReturn } from '#api/return-path.ts';
import { write } from '#api/write.ts';
import { fragmentPart } from '#app/link-fragment.ts';
import { useSettings } from '#app/settings.ts';
import { StepUpDialog } from '#app/step-up-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Banner, Skeleton } from '#ui/feedback/feedback.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page } from '#ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';
import { returnProblems } from '../messages.ts';

/** Anybody can make a link with a text, so only a tab that left for a provider shows it. */
export const toldByConcord = () => (hasLeft() ? fragmentPart('message') : '');

export function ConnectionReturnPage() {
  const error = fragmentPart('error');
  const link = fragmentPart('link') || readLink();
  const isDone = fragmentPart('proved') !== '' || fragmentPart('tested') !== '';
  useEffect(() => {
    if (isDone) void enterConsole(takeReturn());
  }, [isDone]);
  if (isDone)
    return (
      <Page title="Signing in">
        <Skeleton lines={2} />
      </Page>
    );
  if (error === '' && link !== '') return <LinkAccount code={link} />;
  return (
    <Page title="The identity provider did not sign you in">
      <Banner tone="bad">
        {returnProblems[error] ??
          (toldByConcord() || 'The return from the identity provider failed. Start again.')}
      </Banner>
      <p>
        <Link to="/">Back to Concord</Link>
      </p>
    </Page>
  );
}

const linkProblems: Readonly<Record<string, string>> = {
  invalid_token:
    'This account cannot be linked: it has another address, another browser began, or it took more than ten minutes. Start again at the sign-in.',
};

/**
 * Links an account at the identity provider. Both are proven: that account by the visit, and the one of Concord
 * by its session.
 */
function LinkAccount({ code }: { code: string }) {
  const settings = useSettings();
  const hasSession = settings?.session_cookie === true;
  const me = useRead(getMe, {}, { enabled: hasSession });
  const person = me.error === null ? me.data?.data : undefined;
  const signIn = () => {
    keepLink(code);
    window.location.assign('/console/sign-in?return=%2Fconnection-return');
  };
  return (
    <Page title="Link your account">
      <p>
        Your address has an account here, which your identity provider does not sign in yet. Sign in to it as
        before, then link it. Link it only if you have just come from your identity provider.
      </p>
      {settings === null || (hasSession && me.isPending) ? (
        <Skeleton lines={2} />
      ) : person === undefined ? (
        <Button look="primary" onClick={signIn}>
          Sign in to the account
        </Button>
      ) : (
        <>
          <StepUpDialog />
          <p>
            You are signed in as <strong>{person.email}</strong>. The identity provider will sign in to this
            account.
          </p>
          <Form
            submit="Link the account"
            explain={linkProblems}
            beside={<Button onClick={signIn}>Sign in to another account</Button>}
            onSubmit={async () => {
              await write(linkConnection, { body: { code } }, { done: 'Your account is linked' });
              const path = takeReturn();
              forgetVisit();
              await enterConsole(path);
            }}
          />
        </>
      )}
    </Page>
  );
}

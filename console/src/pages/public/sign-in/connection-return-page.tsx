// Back from the identity provider of a partner: the session has its proof, a test has passed, or an account waits
// to be linked.
import { linkConnection } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetVisit, hasLeft, keepLink, readLink, takeReturn } from '../../../api/return-path.ts';
import { useWrite } from '../../../api/write.ts';
import { fragmentPart } from '../../../app/link-fragment.ts';
import { useSettings } from '../../../app/settings.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Skeleton } from '../../../ui/feedback/loaded.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';
import { signInProblems } from '../messages.ts';

/** A visit to the identity provider of a partner that proved nothing. */
const connectionProblems: Readonly<Record<string, string>> & { readonly other: string } = {
  banned: signInProblems.banned,
  invalid_token: 'The way back from the provider took too long, or another browser began it. Start again.',
  other: 'The way back from the identity provider did not work. Start again.',
};

export function ConnectionReturnPage() {
  const error = fragmentPart('error');
  const link = fragmentPart('link') || readLink();
  // Anybody can make a link with a text.
  const message = hasLeft() ? fragmentPart('message') : '';
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
        <p>{message || (connectionProblems[error] ?? connectionProblems.other)}</p>
      </Banner>
      <p>
        <Link to="/">Back to Concord</Link>
      </p>
    </Page>
  );
}

/** Both are proven: the account at the provider by the visit, and that of Concord by its session. */
function LinkAccount({ code }: { code: string }) {
  const isSignedIn = useSettings()?.session_cookie === true;
  const { isRunning, run } = useWrite();
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
      <Button look={isSignedIn ? 'secondary' : 'primary'} onClick={signIn}>
        Sign in to the account
      </Button>
      <Button
        look={isSignedIn ? 'primary' : 'secondary'}
        isBusy={isRunning}
        onClick={async () => {
          const answer = await run((client) => linkConnection({ client, body: { code } }), {
            done: 'Your account is linked',
          });
          if (answer === undefined) return;
          const path = takeReturn();
          forgetVisit();
          await enterConsole(path);
        }}
      >
        Link the account
      </Button>
    </Page>
  );
}

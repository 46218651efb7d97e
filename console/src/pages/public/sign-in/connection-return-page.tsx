// Back from the identity provider of a partner: the session has its proof, a test has passed, or an account waits
// to be linked.
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasLeft, readLink, takeReturn } from '#api/return-path.ts';
import { fragmentPart } from '#app/link-fragment.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { Page } from '#ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';
import { signInProblems } from '../messages.ts';
import { LinkAccount } from './link-account.tsx';

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

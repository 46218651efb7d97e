// Back from a provider: a one-time code in the fragment becomes the session, or the challenge of the second
// factor.
import { completeProviderSignIn } from '@concord/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '#api/client.ts';
import { takeReturn } from '#api/return-path.ts';
import { fragmentPart } from '#app/link-fragment.ts';
import { Banner, Skeleton, toError } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';
import { enterConsole } from '../enter-console.ts';
import { returnProblems } from '../messages.ts';
import { ConnectionReturnPage, toldByConcord } from './connection-return-page.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

const problems: Readonly<Record<string, string>> = {
  ...returnProblems,
  provider_unavailable: 'The provider does not answer. Try again in a few seconds.',
  email_not_verified:
    'The provider has not confirmed your address, or Concord has not. Set a new password: the link in the mail confirms the address here.',
};

export function ProviderReturnPage() {
  const code = fragmentPart('code');
  // A query, since it runs once for a page and nobody has to press anything.
  const sent = useQuery({
    queryKey: ['provider-return'],
    enabled: code !== '',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const answer = await completeProviderSignIn({ client, body: { code } });
      if (!answer.twoFactorRedirect) await enterConsole(takeReturn());
      return answer;
    },
  });
  if (fragmentPart('link') !== '') return <ConnectionReturnPage />;
  if (code === '') return <Refused code={fragmentPart('error')} />;
  if (sent.error !== null) return <Refused code={toError(sent.error).code} />;
  if (!sent.data?.twoFactorRedirect) {
    return (
      <Page title="Signing in">
        <Skeleton lines={2} />
      </Page>
    );
  }
  return (
    <Page key="code" title="Second factor">
      <SecondFactorForm
        onDone={() => void enterConsole(takeReturn())}
        onRestart={() => window.location.assign('/console/sign-in')}
      />
    </Page>
  );
}

function Refused({ code }: { code: string }) {
  return (
    <Page key="refused" title="You are not signed in">
      <Banner tone="bad">
        {problems[code] ??
          (toldByConcord() ||
            'The provider did not sign you in, or its account belongs to somebody else. Try again, or use your password.')}
      </Banner>
      <p>
        <Link to="/sign-in">Back to the sign-in</Link>
        {code === 'email_not_verified' && (
          <>
            {' · '}
            <Link to="/forgot">Set a new password</Link>
          </>
        )}
      </p>
    </Page>
  );
}

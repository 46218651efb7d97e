// Back from a provider: a one-time code in the fragment becomes the session.
import { Link } from '@tanstack/react-router';
import { fragmentPart } from '../../../app/link-fragment.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { signInProblems } from '../messages.ts';

/** A sign-in with a provider that ended without a session. */
const providerProblems: Readonly<Record<string, string>> = {
  provider_refused: 'The provider did not sign you in, or its account belongs to somebody else.',
  email_not_verified:
    'The provider has not confirmed your address, or Concord has not. Set a new password: its mail confirms the address here.',
  invalid_token: 'The way back from the provider took too long. Start again.',
  provider_unavailable: 'The provider does not answer. Try again in a few seconds.',
  banned: signInProblems.banned,
};

export function ProviderReturnPage() {
  const error = fragmentPart('error');
  return (
    <Page title="You are not signed in">
      <Banner tone="bad">
        <p>{providerProblems[error] ?? 'The sign-in with the provider did not work. Try again, or use your password.'}</p>
      </Banner>
      <p>
        <Link to="/sign-in">Back to the sign-in</Link>
        {error === 'email_not_verified' && (
          <>
            {' · '}
            <Link to="/forgot">Set a new password</Link>
          </>
        )}
      </p>
    </Page>
  );
}

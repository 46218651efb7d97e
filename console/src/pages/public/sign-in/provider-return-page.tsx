// Back from a provider: a one-time code in the fragment becomes the session.
import { Link } from '@tanstack/react-router';
import { fragmentPart } from '../../../app/link-fragment.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { providerProblems } from '../messages.ts';

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

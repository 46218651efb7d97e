// Whoever requires a sign-in must have done it in their session.
import { SignInAtProvider } from '#app/single-sign-on/ways-in.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Row } from '#ui/layout/page.tsx';

export function ProveFirst() {
  return (
    <Banner tone="warning" title="Sign in there first">
      <p>
        Your own session must have signed in with the identity provider, so that you do not lock yourself out.
        You come back here. Then save again.
      </p>
      <Row>
        <SignInAtProvider />
      </Row>
    </Banner>
  );
}

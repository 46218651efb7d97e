// Whoever requires a sign-in must have done it in their session.
import { SignInAtProvider } from '../../../app/single-sign-on/ways-in.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Row } from '../../../ui/layout/page.tsx';
import { policyWords } from './policy-messages.ts';

export function ProveFirst({ partner }: { partner: string }) {
  return (
    <Banner tone="warning" title={policyWords.proveFirst}>
      <p>{policyWords.proveAbout}</p>
      <Row>
        <SignInAtProvider partner={partner} />
      </Row>
    </Banner>
  );
}

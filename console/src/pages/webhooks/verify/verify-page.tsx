// Verify a request.
import { Page } from '../../../ui/layout/page.tsx';

export function VerifyRequestPage() {
  return <Page title="Verify a request">{null}</Page>;
}

// Confirm your e-mail address.
import { Page } from '../../../ui/layout/page.tsx';

export function VerifyPage() {
  return <Page title="Confirm your e-mail address">{null}</Page>;
}

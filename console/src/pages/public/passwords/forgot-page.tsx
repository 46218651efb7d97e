// Forgotten password.
import { Page } from '../../../ui/layout/page.tsx';

export function ForgotPage() {
  return <Page title="Forgotten password">{null}</Page>;
}

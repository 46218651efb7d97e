// Create an account.
import { Page } from '../../../ui/layout/page.tsx';

export function SignUpPage() {
  return <Page title="Create an account">{null}</Page>;
}

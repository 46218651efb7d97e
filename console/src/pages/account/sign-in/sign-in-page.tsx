// Password and second factor.
import { Page } from '../../../ui/layout/page.tsx';

export function AccountSignInPage() {
  return <Page title="Password and second factor">{null}</Page>;
}

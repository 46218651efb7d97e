// Delete your account.
import { Page } from '../../../ui/layout/page.tsx';

export function DeletePage() {
  return <Page title="Delete your account">{null}</Page>;
}

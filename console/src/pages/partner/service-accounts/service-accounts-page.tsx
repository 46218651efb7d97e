// Service accounts.
import { Page } from '../../../ui/layout/page.tsx';

export function ServiceAccountsPage() {
  return <Page title="Service accounts">{null}</Page>;
}

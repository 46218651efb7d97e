// Service account.
import { Page } from '../../../ui/layout/page.tsx';

export function ServiceAccountPage() {
  return <Page title="Service account">{null}</Page>;
}

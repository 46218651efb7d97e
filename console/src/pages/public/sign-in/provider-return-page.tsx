// Signing in.
import { Page } from '../../../ui/layout/page.tsx';

export function ProviderReturnPage() {
  return <Page title="Signing in">{null}</Page>;
}

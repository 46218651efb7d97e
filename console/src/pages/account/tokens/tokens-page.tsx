// Access tokens.
import { Page } from '../../../ui/layout/page.tsx';

export function TokensPage() {
  return <Page title="Access tokens">{null}</Page>;
}

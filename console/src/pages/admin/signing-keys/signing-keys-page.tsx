// Signing keys.
import { Page } from '../../../ui/layout/page.tsx';

export function SigningKeysPage() {
  return <Page title="Signing keys">{null}</Page>;
}

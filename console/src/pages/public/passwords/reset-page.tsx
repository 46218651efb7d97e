// Set a new password.
import { Page } from '../../../ui/layout/page.tsx';

export function ResetPage() {
  return <Page title="Set a new password">{null}</Page>;
}

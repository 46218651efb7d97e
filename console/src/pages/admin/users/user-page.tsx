// User.
import { Page } from '../../../ui/layout/page.tsx';

export function UserPage() {
  return <Page title="User">{null}</Page>;
}

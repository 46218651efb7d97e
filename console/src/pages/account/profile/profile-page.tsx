// Your account.
import { Page } from '../../../ui/layout/page.tsx';

export function ProfilePage() {
  return <Page title="Your account">{null}</Page>;
}

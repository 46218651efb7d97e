// Your invitation.
import { Page } from '../../../ui/layout/page.tsx';

export function InvitationPage() {
  return <Page title="Your invitation">{null}</Page>;
}

// Profile.
import { Page } from '../../../ui/layout/page.tsx';

export function PartnerProfilePage() {
  return <Page title="Profile">{null}</Page>;
}

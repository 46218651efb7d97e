// Partners.
import { Page } from '../../../ui/layout/page.tsx';

export function PartnersPage() {
  return <Page title="Partners">{null}</Page>;
}

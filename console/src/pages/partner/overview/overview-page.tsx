// Overview.
import { Page } from '../../../ui/layout/page.tsx';

export function OverviewPage() {
  return <Page title="Overview">{null}</Page>;
}

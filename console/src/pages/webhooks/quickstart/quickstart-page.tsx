// Quickstart.
import { Page } from '../../../ui/layout/page.tsx';

export function QuickstartPage() {
  return <Page title="Quickstart">{null}</Page>;
}

// Set up Concord.
import { Page } from '../../../ui/layout/page.tsx';

export function SetupPage() {
  return <Page title="Set up Concord">{null}</Page>;
}

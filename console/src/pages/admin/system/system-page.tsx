// System.
import { Page } from '../../../ui/layout/page.tsx';

export function SystemPage() {
  return <Page title="System">{null}</Page>;
}

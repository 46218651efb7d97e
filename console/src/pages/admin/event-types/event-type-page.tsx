// Event type.
import { Page } from '../../../ui/layout/page.tsx';

export function AdminEventTypePage() {
  return <Page title="Event type">{null}</Page>;
}

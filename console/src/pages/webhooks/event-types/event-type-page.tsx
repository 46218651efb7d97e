// Event type.
import { Page } from '../../../ui/layout/page.tsx';

export function EventTypePage() {
  return <Page title="Event type">{null}</Page>;
}

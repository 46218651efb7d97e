// Events.
import { Page } from '../../../ui/layout/page.tsx';

export function EventsPage() {
  return <Page title="Events">{null}</Page>;
}

// Event.
import { Page } from '../../../ui/layout/page.tsx';

export function EventPage() {
  return <Page title="Event">{null}</Page>;
}

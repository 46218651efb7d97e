// Deliveries.
import { Page } from '../../../ui/layout/page.tsx';

export function DeliveriesPage() {
  return <Page title="Deliveries">{null}</Page>;
}

// Delivery.
import { Page } from '../../../ui/layout/page.tsx';

export function DeliveryPage() {
  return <Page title="Delivery">{null}</Page>;
}

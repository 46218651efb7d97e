// Endpoint.
import { Page } from '../../../ui/layout/page.tsx';

export function EndpointPage() {
  return <Page title="Endpoint">{null}</Page>;
}

// Endpoints.
import { Page } from '../../../ui/layout/page.tsx';

export function EndpointsPage() {
  return <Page title="Endpoints">{null}</Page>;
}

// Event types.
import { Page } from '../../../ui/layout/page.tsx';

export function EventTypesPage() {
  return <Page title="Event types">{null}</Page>;
}

// Event types.
import { Page } from '../../../ui/layout/page.tsx';

export function AdminEventTypesPage() {
  return <Page title="Event types">{null}</Page>;
}

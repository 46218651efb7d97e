// Person.
import { Page } from '../../../ui/layout/page.tsx';

export function PersonPage() {
  return <Page title="Person">{null}</Page>;
}

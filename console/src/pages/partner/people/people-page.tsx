// People.
import { Page } from '../../../ui/layout/page.tsx';

export function PeoplePage() {
  return <Page title="People">{null}</Page>;
}

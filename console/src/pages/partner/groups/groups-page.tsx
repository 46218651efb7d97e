// Groups.
import { Page } from '../../../ui/layout/page.tsx';

export function GroupsPage() {
  return <Page title="Groups">{null}</Page>;
}

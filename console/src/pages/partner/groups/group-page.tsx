// Group.
import { Page } from '../../../ui/layout/page.tsx';

export function GroupPage() {
  return <Page title="Group">{null}</Page>;
}

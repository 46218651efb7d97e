// Users.
import { Page } from '../../../ui/layout/page.tsx';

export function UsersPage() {
  return <Page title="Users">{null}</Page>;
}

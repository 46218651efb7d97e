// Sessions.
import { Page } from '../../../ui/layout/page.tsx';

export function SessionsPage() {
  return <Page title="Sessions">{null}</Page>;
}

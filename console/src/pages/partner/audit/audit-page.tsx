// Audit log.
import { Page } from '../../../ui/layout/page.tsx';

export function AuditPage() {
  return <Page title="Audit log">{null}</Page>;
}

// Audit log.
import { Page } from '../../../ui/layout/page.tsx';

export function PlatformAuditPage() {
  return <Page title="Audit log">{null}</Page>;
}

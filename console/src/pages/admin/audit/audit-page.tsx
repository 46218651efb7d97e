// The whole audit log: every change on the platform, of all partners and of none.
import { listWholeAuditLog, pages } from '@concord/client';
import { useRead } from '#api/read.ts';
import { Page } from '#ui/layout/page.tsx';
import { AuditLog, ExportButton, useAuditState } from '../../audit/audit-log.tsx';

export function PlatformAuditPage() {
  const state = useAuditState();
  const query = useRead(listWholeAuditLog, { query: state.query });
  return (
    <Page
      title="Audit log"
      about="Every change on the platform, of all partners, and every sign-in and attempt that was denied."
      action={
        <ExportButton
          state={state}
          fileName="audit-log"
          read={(options) => pages(listWholeAuditLog, options)}
        />
      }
    >
      <AuditLog query={query} state={state} partner={null} />
    </Page>
  );
}

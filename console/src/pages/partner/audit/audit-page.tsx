// The audit log of a partner: who did what, when, and what it changed.
import { listAuditLog, pages } from '@concord/client';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { Page } from '#ui/layout/page.tsx';
import { AuditLog, ExportButton, useAuditState } from '../../audit/audit-log.tsx';

export function AuditPage() {
  const { can, partner } = useAccess();
  const state = useAuditState();
  return (
    <Page
      title="Audit log"
      about="Every change of this partner and what belongs to it, and every attempt of a member that was denied."
      action={
        can('audit_log', 'query') && (
          <ExportButton
            state={state}
            fileName={`audit-log-${partner}`}
            read={(options) => pages(listAuditLog, { ...options, path: { id: partner } })}
          />
        )
      }
    >
      <Allowed resource="audit_log" method="query">
        <Log state={state} />
      </Allowed>
    </Page>
  );
}

function Log({ state }: { state: ReturnType<typeof useAuditState> }) {
  const partner = usePartner();
  const query = useRead(listAuditLog, { path: { id: partner }, query: state.query });
  return (
    <AuditLog
      query={query}
      state={state}
      partner={partner}
      denied={<Denied resource="audit_log" method="query" />}
    />
  );
}

// The audit log of a partner: who did what, when, and what it changed.
import { listAuditLog, pages } from '@concord/client';
import { client } from '#api/client.ts';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Page } from '#ui/layout/page.tsx';
import { AuditLog, allPages, useAuditState } from '../../audit/audit-log.tsx';
import { ExportDialog, exportPageSize } from '../../audit/export-dialog.tsx';

export function AuditPage() {
  const { can, partner } = useAccess();
  const state = useAuditState();
  return (
    <Page
      title="Audit log"
      about="Every change of this partner and what belongs to it, and every attempt of a member that was denied."
      action={
        can('audit_log', 'query') && (
          <DialogButton
            dialog={(onClose) => (
              <ExportDialog
                fileName={`audit-log-${partner}`}
                onClose={onClose}
                read={(signal) =>
                  pages(listAuditLog, {
                    client,
                    signal,
                    path: { id: partner },
                    query: { ...allPages(state), page_size: exportPageSize },
                  })
                }
              />
            )}
          >
            Export
          </DialogButton>
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

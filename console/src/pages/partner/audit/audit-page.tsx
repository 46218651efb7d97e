// The audit log of a partner: who did what, when, and what it changed.
import { listAuditLog, pages } from '@concord/client';
import { useParams } from '@tanstack/react-router';
import { client } from '#api/client.ts';
import { useRead } from '#api/read.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Page } from '#ui/layout/page.tsx';
import { AuditLog, allPages, useAuditState } from '../../audit/audit-log.tsx';
import { ExportDialog, exportPageSize } from '../../audit/export-dialog.tsx';

export function AuditPage() {
  const { partner } = useParams({ strict: false }) as { partner: string };
  const { can } = useAccess(partner);
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
      <Allowed partner={partner} resource="audit_log" method="query">
        <Log partner={partner} state={state} />
      </Allowed>
    </Page>
  );
}

function Log({ partner, state }: { partner: string; state: ReturnType<typeof useAuditState> }) {
  const query = useRead(listAuditLog, { path: { id: partner }, query: state.query });
  return (
    <AuditLog
      query={query}
      state={state}
      partner={partner}
      denied={<Denied partner={partner} resource="audit_log" method="query" />}
    />
  );
}

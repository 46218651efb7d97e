// The whole audit log: every change on the platform, of all partners and of none.
import { listWholeAuditLog, pages } from '@concord/client';
import { client } from '#api/client.ts';
import { useRead } from '#api/read.ts';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Page } from '#ui/layout/page.tsx';
import { AuditLog, allPages, useAuditState } from '../../audit/audit-log.tsx';
import { ExportDialog, exportPageSize } from '../../audit/export-dialog.tsx';

export function PlatformAuditPage() {
  const state = useAuditState();
  const query = useRead(listWholeAuditLog, { query: state.query });
  return (
    <Page
      title="Audit log"
      about="Every change on the platform, of all partners, and every sign-in and attempt that was denied."
      action={
        <DialogButton
          dialog={(onClose) => (
            <ExportDialog
              fileName="audit-log"
              onClose={onClose}
              read={(signal) =>
                pages(listWholeAuditLog, {
                  client,
                  signal,
                  query: { ...allPages(state), page_size: exportPageSize },
                })
              }
            />
          )}
        >
          Export
        </DialogButton>
      }
    >
      <AuditLog query={query} state={state} partner={null} />
    </Page>
  );
}

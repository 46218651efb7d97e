// The whole audit log: every change on the platform, of all partners and of none.
import { listWholeAuditLog, pages } from '@concord/client';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { useRead } from '../../../api/read.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { AuditLog, allPages, useAuditState } from '../../audit/audit-log.tsx';
import { ExportDialog, exportPageSize } from '../../audit/export-dialog.tsx';

export function PlatformAuditPage() {
  const [isExporting, setExporting] = useState(false);
  const state = useAuditState();
  const query = useRead(listWholeAuditLog, { query: state.query });
  return (
    <Page
      title="Audit log"
      about="Every change on the platform, of all partners, and every sign-in and attempt that was denied."
      action={<Button onClick={() => setExporting(true)}>Export</Button>}
    >
      <AuditLog query={query} state={state} partner={null} />
      {isExporting && (
        <ExportDialog
          fileName="audit-log"
          onClose={() => setExporting(false)}
          read={(signal) =>
            pages(listWholeAuditLog, {
              client,
              signal,
              query: { ...allPages(state), page_size: exportPageSize },
            })
          }
        />
      )}
    </Page>
  );
}

// The whole audit log: every change on the platform, of all partners and of none.
import { type AuditRecord, listWholeAuditLog, pages } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client } from '../../../api/client.ts';
import { useRead } from '../../../api/read.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import { type AuditFilter, AuditFilters, auditFilters } from '../../audit/audit-filters.tsx';
import { useAuditColumns } from '../../audit/audit-table.tsx';
import { ExportDialog, exportPageSize } from '../../audit/export-dialog.tsx';

export function PlatformAuditPage() {
  const [isExporting, setExporting] = useState(false);
  const state = useListState<AuditFilter>({ filters: auditFilters, sort: { by: 'id', direction: 'desc' } });
  const query = useRead(listWholeAuditLog, { query: state.query });
  const { columns, dialog } = useAuditColumns(linkTarget);
  const { page_from: _, ...filtered } = state.query as Record<string, string | number>;
  return (
    <Page
      title="Audit log"
      about="Every change on the platform, of all partners, and every sign-in and attempt that was denied."
      action={<Button onClick={() => setExporting(true)}>Export</Button>}
    >
      <AuditFilters state={state} isPlatform />
      <List
        label="Records"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        columns={columns}
        empty={<Empty>Nothing is recorded yet.</Empty>}
      />
      {dialog}
      {isExporting && (
        <ExportDialog
          fileName="audit-log"
          onClose={() => setExporting(false)}
          read={(signal) => pages(listWholeAuditLog, { client, signal, query: { ...filtered, page_size: exportPageSize } })}
        />
      )}
    </Page>
  );
}

/** The page of the target, while it exists. */
function linkTarget({ target, email, action, partner_id: partner }: AuditRecord): ReactNode {
  if (target === null || /\.(delete|purge|leave|decline|discard)$/.test(action)) return email;
  if (target.startsWith('usr_') && !action.startsWith('service_account')) {
    return (
      <Link to="/admin/users/$user" params={{ user: target }}>
        User
      </Link>
    );
  }
  if (action.startsWith('event_type')) {
    return (
      <Link to="/admin/event-types/$name" params={{ name: target }}>
        {target}
      </Link>
    );
  }
  if (partner === null) return null;
  if (target.startsWith('ptr_')) {
    return (
      <Link to="/p/$partner" params={{ partner }}>
        Partner
      </Link>
    );
  }
  if (target.startsWith('agr_')) {
    return (
      <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: target }}>
        {email ?? 'Agreement'}
      </Link>
    );
  }
  if (target.startsWith('whe_')) {
    return (
      <Link to="/p/$partner/webhooks/endpoints/$endpoint" params={{ partner, endpoint: target }}>
        Endpoint
      </Link>
    );
  }
  return null;
}

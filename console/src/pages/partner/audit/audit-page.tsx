// The audit log of a partner: who did what, when, and what it changed.
import { type AuditRecord, listAuditLog, pages } from '@concord/client';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client } from '../../../api/client.ts';
import { useRead } from '../../../api/read.ts';
import { Allowed } from '../../../app/allowed.tsx';
import { Denied } from '../../../app/denied.tsx';
import { useAccess } from '../../../app/session.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import { type AuditFilter, AuditFilters, auditFilters } from '../../audit/audit-filters.tsx';
import { useAuditColumns } from '../../audit/audit-table.tsx';
import { ExportDialog, exportPageSize } from '../../audit/export-dialog.tsx';

export function AuditPage() {
  const { partner } = useParams({ strict: false }) as { partner: string };
  const { can } = useAccess(partner);
  const [isExporting, setExporting] = useState(false);
  const state = useListState<AuditFilter>({ filters: auditFilters, sort: { by: 'id', direction: 'desc' } });
  return (
    <Page
      title="Audit log"
      about="Every change of this partner and what belongs to it, and every attempt of a member that was denied."
      action={can('audit_log', 'query') && <Button onClick={() => setExporting(true)}>Export</Button>}
    >
      <Allowed partner={partner} resource="audit_log" method="query">
        <Log partner={partner} state={state} />
      </Allowed>
      {isExporting && (
        <ExportDialog
          fileName={`audit-log-${partner}`}
          onClose={() => setExporting(false)}
          read={(signal) =>
            pages(listAuditLog, {
              client,
              signal,
              path: { id: partner },
              query: { ...allPages(state.query), page_size: exportPageSize },
            })
          }
        />
      )}
    </Page>
  );
}

/** The export begins with the first page, whichever is shown. */
const allPages = ({ page_from: _, ...query }: Record<string, unknown>) => query;

type LogProps = { partner: string; state: ReturnType<typeof useListState<AuditFilter>> };
function Log({ partner, state }: LogProps) {
  const query = useRead(listAuditLog, { path: { id: partner }, query: state.query });
  const { columns, dialog } = useAuditColumns((record) => linkTarget(partner, record));
  return (
    <>
      <AuditFilters state={state} />
      <List
        label="Records"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        columns={columns}
        denied={<Denied partner={partner} resource="audit_log" method="query" />}
        empty={<Empty>Nothing is recorded yet.</Empty>}
      />
      {dialog}
    </>
  );
}

/** The page of the target, while it exists. */
function linkTarget(partner: string, { target, email, action }: AuditRecord): ReactNode {
  if (target === null || /\.(delete|leave|decline|discard)$/.test(action)) return email;
  if (target.startsWith('agr_')) {
    return (
      <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: target }}>
        {email ?? 'Agreement'}
      </Link>
    );
  }
  if (target.startsWith('apg_')) {
    return (
      <Link to="/p/$partner/groups/$group" params={{ partner, group: target }}>
        Group
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

// The audit log, of a partner or of all: its filters, its records, and the record that was opened.
import type { AuditRecord } from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/read.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { List } from '../../ui/table/list.tsx';
import { type ListState, useListState } from '../../ui/table/list-state.ts';
import { type AuditFilter, AuditFilters, auditFilters } from './audit-filters.tsx';
import { useAuditColumns } from './audit-table.tsx';
import { hasTarget, linkInPartner, type Targeted } from './target-link.tsx';

export const useAuditState = (): ListState<AuditFilter> =>
  useListState({ filters: auditFilters, sort: { by: 'id', direction: 'desc' } });

/** The query of an export, which begins with the first page, whichever is shown. */
export const allPages = ({ query: { page_from: _, ...query } }: ListState<AuditFilter>) => query;

type Props = {
  query: UseQueryResult<Answer<readonly AuditRecord[]>>;
  state: ListState<AuditFilter>;
  /** Also actions that belong to no partner. */
  isPlatform?: boolean;
  linkTarget?: (record: Targeted) => ReactNode;
  denied?: ReactNode;
};

export function AuditLog({ query, state, isPlatform = false, linkTarget = linkInPartner, denied }: Props) {
  const { columns, dialog } = useAuditColumns((record) => (hasTarget(record) ? linkTarget(record) : null));
  return (
    <>
      <AuditFilters state={state} isPlatform={isPlatform} />
      <List
        label="Records"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        columns={columns}
        denied={denied}
        empty={<Empty>Nothing is recorded yet.</Empty>}
      />
      {dialog}
    </>
  );
}

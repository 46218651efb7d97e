// The audit log, of a partner or of all: its filters and its records.
import type { AuditRecord } from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import type { Answer } from '#api/read.ts';
import { DialogButton } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { toOptions } from '#ui/form/options.ts';
import { PeriodFields } from '#ui/form/period-fields.tsx';
import { FilterSelect, Filters, FilterText, List, type ListState, useListState } from '#ui/table/list.tsx';
import { useAuditColumns } from './audit-table.tsx';
import { ExportDialog, exportPageSize } from './export-dialog.tsx';
import { actionNames, outcomes } from './messages.ts';
import { useNames } from './names.ts';
import { linkInPartner, linkOnPlatform } from './target-link.tsx';

/**
 * The actor can be an address or an id, and so can the target. An address that is half typed filters nothing
 * yet.
 */
export function useAuditState(): ListState<AuditFilter> {
  const state = useListState({ filters: auditFilters, sort: { by: 'id', direction: 'desc' } });
  const { 'filter[actor]': _actor, 'filter[target]': _target, ...query } = state.query;
  const { actor, target } = state.filters;
  return {
    ...state,
    query: { ...query, ...byText(actor, 'actor_email', 'actor_id'), ...byText(target, 'email', 'target') },
  };
}

function byText(text: string, email: string, id: string): Record<string, string> {
  if (text === '') return {};
  if (!text.includes('@')) return { [`filter[${id}]`]: text };
  return /^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(text) ? { [`filter[${email}]`]: text } : {};
}

type ExportProps = {
  state: ListState<AuditFilter>;
  fileName: string;
  read: (options: PagesOptions) => AsyncIterable<readonly AuditRecord[]>;
};
type PagesOptions = { client: typeof client; signal: AbortSignal; query: Record<string, string | number> };

/** It begins with the first page, whichever is shown. */
export function ExportButton({ state, fileName, read }: ExportProps) {
  const { page_from: _, ...filters } = state.query;
  const query = { ...filters, page_size: exportPageSize };
  return (
    <DialogButton
      dialog={(onClose) => (
        <ExportDialog
          fileName={fileName}
          onClose={onClose}
          read={(signal) => read({ client, signal, query })}
        />
      )}
    >
      Export
    </DialogButton>
  );
}

type Props = {
  query: UseQueryResult<Answer<readonly AuditRecord[]>>;
  state: ListState<AuditFilter>;
  /** Null: the log of the platform, with actions that belong to no partner. */
  partner: string | null;
  denied?: ReactNode;
};

export function AuditLog({ query, state, partner, denied }: Props) {
  const names = useNames({ partner, endpoints: true });
  const columns = useAuditColumns({
    partner,
    names,
    linkTarget: partner === null ? linkOnPlatform : linkInPartner,
  });
  return (
    <>
      <AuditFilters state={state} isPlatform={partner === null} />
      <List
        label="Records"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        columns={columns}
        denied={denied}
        empty={<Empty>Nothing is recorded yet.</Empty>}
      />
    </>
  );
}

type AuditFilter = 'action' | 'outcome' | 'actor' | 'target' | 'at';
const auditFilters: readonly AuditFilter[] = ['action', 'outcome', 'actor', 'target', 'at'];

/** `isPlatform`: also actions that belong to no partner. */
function AuditFilters({ state, isPlatform }: { state: ListState<AuditFilter>; isPlatform: boolean }) {
  const actions = toOptions(actionNames)
    .filter(
      ({ value }) => isPlatform || !/^(account|event_type|signing_key|partner\.(create|purge))/.test(value),
    )
    .toSorted((one, other) => one.label.localeCompare(other.label));
  return (
    <Filters>
      <FilterSelect state={state} name="action" label="Action" any="Any action" options={actions} />
      <FilterSelect state={state} name="outcome" label="Outcome" any="Any outcome" options={outcomes} />
      <FilterText state={state} name="actor" label="Actor" placeholder="Address or id" />
      <FilterText state={state} name="target" label="Target" placeholder="Address or id" />
      <PeriodFields
        period={state.filters.at}
        onChange={(period) => state.setFilter('at', period)}
        labels={['From', 'Until']}
      />
    </Filters>
  );
}

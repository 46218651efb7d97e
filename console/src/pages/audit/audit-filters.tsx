// The filters of the audit log.
import { fromLocal, toLocal } from '#format/local-time.ts';
import { TextField } from '#ui/form/field.tsx';
import { optionsOf } from '#ui/form/options.ts';
import { FilterSelect, Filters, FilterText } from '#ui/table/list.tsx';
import type { ListState } from '#ui/table/list-state.ts';
import { actionNames, outcomes } from './messages.ts';

export type AuditFilter = 'action' | 'outcome' | 'actor' | 'target' | 'at';
export const auditFilters: readonly AuditFilter[] = ['action', 'outcome', 'actor', 'target', 'at'];

/** `isPlatform`: also actions that belong to no partner. */
export function AuditFilters({ state, isPlatform }: { state: ListState<AuditFilter>; isPlatform: boolean }) {
  const actions = optionsOf(actionNames)
    .filter(
      ({ value }) => isPlatform || !/^(account|event_type|signing_key|partner\.(create|purge))/.test(value),
    )
    .toSorted((one, other) => one.label.localeCompare(other.label));
  return (
    <Filters>
      <FilterSelect state={state} name="action" label="Action" any="Any action" options={actions} />
      <FilterSelect
        state={state}
        name="outcome"
        label="Outcome"
        any="Any outcome"
        options={optionsOf(outcomes)}
      />
      <FilterText state={state} name="actor" label="Actor" placeholder="Address or id" />
      <FilterText state={state} name="target" label="Target" placeholder="Address or id" />
      <Period state={state} />
    </Filters>
  );
}

/** `<from>..<to>` as two fields. */
function Period({ state }: { state: ListState<AuditFilter> }) {
  const [from = '', to = ''] = state.filters.at.split('..');
  const set = (nextFrom: string, nextTo: string) =>
    state.setFilter('at', nextFrom || nextTo ? `${nextFrom}..${nextTo}` : '');
  return (
    <>
      <TextField
        name="from"
        label="From"
        type="datetime-local"
        value={toLocal(from)}
        onChange={({ target }) => set(fromLocal(target.value), to)}
      />
      <TextField
        name="to"
        label="Until"
        type="datetime-local"
        value={toLocal(to)}
        onChange={({ target }) => set(from, fromLocal(target.value))}
      />
    </>
  );
}

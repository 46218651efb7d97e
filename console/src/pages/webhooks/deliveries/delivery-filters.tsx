// The filters of deliveries. Each is a parameter of the URL.
import { listEventTypes, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { attemptReasons, deliveryStates, deliveryStatus, environments } from '#messages/webhooks.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { type Option, toOptions } from '#ui/form/options.ts';
import { PeriodFields } from '#ui/form/period-fields.tsx';
import { Row } from '#ui/layout/page.tsx';
import { clearFilters, FilterSelect, Filters, FilterText, type ListState } from '#ui/table/list.tsx';

export const filterNames = [
  'state',
  'status',
  'environment',
  'endpoint_id',
  'event_type',
  'event_id',
  'reason',
  'status_code',
  'attempt_count',
  'attempt_outcome',
  'created_at',
] as const;
export type FilterName = (typeof filterNames)[number];

type Props = { state: ListState<FilterName>; endpoints: readonly WebhookEndpoint[] };

export function DeliveryFilters({ state, endpoints }: Props) {
  const { filters } = state;
  // Those that are seldom used are shown when they are set, or asked for.
  const [isMore, setMore] = useState(false);
  const isShown = (name: FilterName) => isMore || filters[name] !== '';
  return (
    <Filters>
      <StatusFilter state={state} />
      <FilterSelect
        state={state}
        name="endpoint_id"
        label="Endpoint"
        any="Any endpoint"
        options={withValue(
          endpoints.map(({ id, url, description }) => ({
            value: id,
            label: description === null ? url : `${url} (${description})`,
          })),
          filters.endpoint_id,
        )}
      />
      <FilterSelect
        state={state}
        name="status_code"
        label="Answer"
        any="Any answer"
        options={withValue(
          ['2xx', '3xx', '4xx', '5xx'].map((value) => ({ value, label: value })),
          filters.status_code,
        )}
      />
      <CreatedFilter state={state} />
      {isShown('reason') && (
        <FilterSelect
          state={state}
          name="reason"
          label="Failure"
          any="Any failure"
          options={toOptions(attemptReasons).filter(({ value }) => !value.startsWith('status_'))}
        />
      )}
      {isShown('environment') && <EnvironmentFilter state={state} />}
      {isShown('event_type') && <EventTypeFilter state={state} name="event_type" />}
      {isShown('attempt_count') && (
        <FilterText
          state={state}
          name="attempt_count"
          label="Attempts"
          placeholder="3, or 3.. for at least 3"
        />
      )}
      {isShown('attempt_outcome') && (
        <FilterSelect
          state={state}
          name="attempt_outcome"
          label="Any attempt"
          any="Failed or not"
          options={[{ value: 'failed', label: 'Failed' }]}
        />
      )}
      {isShown('event_id') && <FilterText state={state} name="event_id" label="Event" placeholder="evt_…" />}
      <Row>
        {(isMore || !filterNames.every(isShown)) && (
          <Button onClick={() => setMore(!isMore)}>{isMore ? 'Fewer filters' : 'More filters'}</Button>
        )}
        {state.isFiltered && (
          <Button look="plain" onClick={() => clearFilters(state)}>
            Clear
          </Button>
        )}
      </Row>
    </Filters>
  );
}

/** "Pending" is a status of three states, and each other status is a state. So one filter stands for both. */
function StatusFilter({ state }: Pick<Props, 'state'>) {
  const { filters } = state;
  // A link that names both means both.
  const isBoth = filters.state !== '' && filters.status !== '';
  return (
    <>
      <SelectField
        name="state"
        label="Status"
        value={filters.state === '' ? filters.status : filters.state}
        onChange={({ target: { value } }) =>
          state.setFilters(
            value === 'pending'
              ? { state: '', status: value }
              : { state: value, ...(!isBoth && { status: '' }) },
          )
        }
        options={[
          { value: '', label: 'Any status' },
          { value: 'pending', label: 'Pending (all)' },
          ...toOptions(deliveryStates),
        ]}
      />
      {isBoth && (
        <FilterSelect
          state={state}
          name="status"
          label="Pending or ended"
          any="Both"
          options={deliveryStatus}
        />
      )}
    </>
  );
}

export function EventTypeFilter<F extends string>({ state, name }: { state: ListState<F>; name: F }) {
  const types = useRead(listEventTypes, {});
  return (
    <FilterSelect
      state={state}
      name={name}
      label="Event type"
      any="Any type"
      options={withValue(
        types.data?.data.map(({ name }) => ({ value: name, label: name })) ?? [],
        state.filters[name],
      )}
    />
  );
}

/** A value of the URL that is no option is shown too: a shared link means what it says. */
const withValue = (options: readonly Option[], value: string): readonly Option[] =>
  value === '' || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];

const recent = [
  { value: 'hour', label: 'Last hour', ms: 3_600_000 },
  { value: 'day', label: 'Last 24 hours', ms: 86_400_000 },
  { value: 'week', label: 'Last 7 days', ms: 604_800_000 },
];

/** A recent period is a fixed one once it is chosen, so that a shared link shows the same. */
export function CreatedFilter({ state }: { state: ListState<'created_at'> }) {
  const applied = state.filters.created_at;
  const [isOpen, setOpen] = useState(applied !== '');
  const set = (period: string) => state.setFilter('created_at', period);
  if (!isOpen && applied === '') {
    return (
      <SelectField
        name="period"
        label="Published"
        value=""
        onChange={({ target }) => {
          const chosen = recent.find(({ value }) => value === target.value);
          if (chosen)
            set(`${new Date(Math.floor((Date.now() - chosen.ms) / 60_000) * 60_000).toISOString()}..`);
          setOpen(true);
        }}
        options={[{ value: '', label: 'At any time' }, ...recent, { value: 'range', label: 'From … to …' }]}
      />
    );
  }
  return <PeriodFields period={applied} onChange={set} labels={['Published from', 'Published before']} />;
}

export const EnvironmentFilter = ({ state }: { state: ListState<'environment'> }) => (
  <FilterSelect state={state} name="environment" label="Environment" any="Both" options={environments} />
);

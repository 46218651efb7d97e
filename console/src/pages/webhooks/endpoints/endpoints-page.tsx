// The endpoints of a partner: which work, and which fail.
import {
  type EndpointStats,
  listWebhookEndpointStats,
  listWebhookEndpoints,
  pauseWebhookEndpoint,
  type WebhookEndpoint,
} from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { useAsked } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { toCommand } from '#format/command.ts';
import { formatCount, formatNumber, formatShare } from '#format/numbers.ts';
import { endpointState, endpointStates, endpointStatus } from '#messages/webhooks.ts';
import { Button } from '#ui/button.tsx';
import { Sparkline } from '#ui/chart/sparkline.tsx';
import { fillStats } from '#ui/chart/steps.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Skeleton } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';
import { FilterSelect, Filters, FilterText, List, type ListState, useListState } from '#ui/table/list.tsx';
import type { RowAction } from '#ui/table/table.tsx';
import { Faint, Soft } from '#ui/text/text.tsx';
import { EnvironmentFilter } from '../deliveries/delivery-filters.tsx';
import { ResumeDialog, useResume } from '../sending/resume-endpoint.tsx';
import { EndpointName, EndpointStatus } from '../shared/endpoint-cells.tsx';
import { CreateEndpoint } from './create-endpoint.tsx';
import css from './endpoints.module.css';

export function EndpointsPage() {
  const { create } = useAsked();
  const navigate = useNavigate();
  const mayCreate = useAccess().can('webhook_endpoints', 'post');
  const open = (isOpen: boolean) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, create: isOpen ? 'yes' : undefined }),
      replace: true,
    });
  return (
    <Page
      title="Endpoints"
      about="The URLs that get this partner's events as signed webhooks."
      action={
        mayCreate && (
          <Button look="primary" onClick={() => open(true)}>
            Create an endpoint
          </Button>
        )
      }
    >
      <Endpoints />
      {create !== undefined && mayCreate && <CreateEndpoint onClose={() => open(false)} />}
    </Page>
  );
}

function Endpoints() {
  const { can, isLoading, partner } = useAccess();
  const state = useListState({
    filters: ['state', 'status', 'environment', 'text'],
    sort: { by: 'created_at', direction: 'desc' },
  });
  const query = useRead(listWebhookEndpoints, { path: { id: partner }, query: state.query }, { live: true });
  const ids = query.data?.data.map(({ id }) => id) ?? [];
  const seesDeliveries = can('deliveries', 'query');
  const stats = useRead(
    listWebhookEndpointStats,
    { path: { id: partner }, query: { endpoint_id: ids.join(',') } },
    { live: true, enabled: ids.length > 0 && seesDeliveries },
  );
  const statsOf = (id: string) => stats.data?.data.find(({ endpoint_id }) => endpoint_id === id);
  const actions = useEndpointActions(statsOf);
  return (
    <>
      <EndpointFilters state={state} />
      <List
        label="Endpoints"
        query={query}
        state={state}
        denied={<Denied resource="webhook_endpoints" method="query" />}
        empty={
          <Empty
            command={toCommand({
              method: 'POST',
              path: `/partners/${partner}/webhook-endpoints`,
              body: { url: 'https://hooks.example.com/concord', environment: 'sandbox' },
            })}
          >
            This partner has no endpoint yet, so its events are not delivered.
          </Empty>
        }
        keyOf={({ id }) => id}
        nameOf={({ url }) => url}
        {...(can('webhook_endpoints', 'post') && { actions })}
        columns={[
          {
            name: 'Endpoint',
            isWide: true,
            cell: (endpoint) => <EndpointName partner={partner} id={endpoint.id} endpoint={endpoint} />,
          },
          {
            name: 'Status',
            cell: (endpoint) => {
              const known = statsOf(endpoint.id);
              const shown = endpointState(endpoint, seesDeliveries || isLoading ? known : null);
              if (shown.tone === 'neutral' && !stats.isError) return <Skeleton lines={1} />;
              return (
                <EndpointStatus
                  state={shown}
                  environment={endpoint.environment}
                  waiting={!!known?.pending && `${formatNumber(known.pending)}\u00a0pending`}
                />
              );
            },
          },
          {
            name: 'Last 24 hours',
            cell: ({ id }) => (
              <span className={css.lastDay}>
                <LastDay stats={statsOf(id)} />
              </span>
            ),
            isSpare: true,
          },
          {
            name: 'Event types',
            cell: ({ event_types }) => <EventTypes names={event_types} />,
            isSpare: true,
          },
          { name: 'Created', at: 'created_at', sortBy: 'created_at', isSpare: true },
        ]}
      />
    </>
  );
}

type StatsOf = (id: string) => EndpointStats | undefined;
function useEndpointActions(statsOf: StatsOf): (endpoint: WebhookEndpoint) => RowAction[] {
  const { partner } = useAccess();
  const { run } = useWrite();
  const resume = useResume();
  return (endpoint) => {
    const path = { id: partner, endpoint_id: endpoint.id };
    if (endpoint.status === 'active')
      return [
        {
          label: 'Pause',
          onSelect: () =>
            void run(pauseWebhookEndpoint, { path }, { done: 'The endpoint is paused: its deliveries wait' }),
        },
      ];
    const paused = { partner, endpoint, pending: statsOf(endpoint.id)?.pending };
    return resume.asks(paused)
      ? [{ label: 'Resume…', dialog: (onClose) => <ResumeDialog {...paused} onClose={onClose} /> }]
      : [{ label: 'Resume', onSelect: () => resume.start(paused) }];
  };
}

function EndpointFilters({ state }: { state: ListState<'state' | 'status' | 'environment' | 'text'> }) {
  const { filters } = state;
  const seesDeliveries = useAccess().can('deliveries', 'query');
  return (
    <Filters>
      <FilterText state={state} name="text" label="Find" placeholder="URL or description" />
      {/* Which of the active ones fail is known from their deliveries. One filter is shown, unless a link names both. */}
      {seesDeliveries && (filters.status === '' || filters.state !== '') && (
        <FilterSelect state={state} name="state" label="Status" any="Any status" options={endpointStates} />
      )}
      {(filters.status !== '' || !seesDeliveries) && (
        <FilterSelect
          state={state}
          name="status"
          label="Active or paused"
          any="Any"
          options={endpointStatus}
        />
      )}
      <EnvironmentFilter state={state} />
    </Filters>
  );
}

function LastDay({ stats }: { stats: EndpointStats | undefined }) {
  if (!stats?.attempts) return <Faint>{stats ? 'No attempts' : '–'}</Faint>;
  const { attempts, delivered } = stats;
  const label = `${formatCount(attempts, 'attempt', 'attempts')}, ${formatShare(delivered, attempts)} delivered`;
  return (
    <>
      <Sparkline
        label={label}
        steps={fillStats(stats).map(({ at, attempts, delivered }) => ({
          at,
          good: delivered,
          bad: attempts - delivered,
        }))}
      />
      <Soft>{formatShare(delivered, attempts)}</Soft>
    </>
  );
}

function EventTypes({ names }: { names: readonly string[] | null }) {
  if (names === null) return <>All</>;
  const [first, ...rest] = names;
  return (
    <>
      <code className={css.type} title={names.join(', ')}>
        {first ?? 'none'}
      </code>
      {rest.length > 0 && <Faint>and {rest.length} more</Faint>}
    </>
  );
}

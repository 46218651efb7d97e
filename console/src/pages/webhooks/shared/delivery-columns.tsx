// The columns of deliveries, in each list of them.
import type { Delivery, WebhookEndpoint } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { deliveryStates, lastAnswer, statusLine } from '#messages/webhooks.ts';
import type { Column } from '#ui/table/table.tsx';
import { Faint, MiddleCut, Status, shortId, Time } from '#ui/text/text.tsx';
import css from './shared.module.css';

/** After its time an attempt waits for its turn. */
export const NextAttempt = ({ at }: { at: string | null }) =>
  at !== null && Date.parse(at) < Date.now() ? 'due now' : <Time at={at} />;

type Options = {
  partner: string;
  /** Where deliveries to several endpoints are listed. Undefined: the caller may not see it. */
  endpointOf?: (id: string) => Pick<WebhookEndpoint, 'url' | 'description'> | undefined;
  isOfOneEvent?: boolean;
};

export function deliveryColumns({ partner, endpointOf, isOfOneEvent = false }: Options): Column<Delivery>[] {
  /** The end of a URL tells endpoints apart. */
  const endpoint: Column<Delivery> = {
    name: 'Endpoint',
    isWide: true,
    cell: ({ endpoint_id }) => {
      const known = endpointOf?.(endpoint_id);
      const url = known?.url ?? endpoint_id;
      return (
        <Link
          to="/p/$partner/webhooks/endpoints/$endpoint"
          params={{ partner, endpoint: endpoint_id }}
          title={known?.description ? `${url} (${known.description})` : url}
          aria-label={url}
          className={css.endpoint}
        >
          {known ? <MiddleCut text={url.replace('https://', '')} /> : <code>{shortId(endpoint_id)}</code>}
        </Link>
      );
    },
  };
  const type: Column<Delivery> = {
    name: 'Event type',
    cell: ({ event_type }) => <code className={css.whole}>{event_type}</code>,
    isSecondary: true,
  };
  const isSecondary = endpointOf !== undefined;
  const published = { name: 'Published', at: 'created_at', sortBy: 'id', isSecondary } as const;
  return [
    {
      name: 'Delivery',
      cell: ({ id }) => (
        <Link to="/p/$partner/webhooks/deliveries/$delivery" params={{ partner, delivery: id }} title={id}>
          <code className={css.whole}>{shortId(id)}</code>
        </Link>
      ),
      isSpare: true,
    },
    {
      name: 'Status',
      // It leads to the delivery too: narrow windows have no room for the id.
      cell: ({ id, state }) => (
        <Link to="/p/$partner/webhooks/deliveries/$delivery" params={{ partner, delivery: id }}>
          <Status {...deliveryStates[state]} />
        </Link>
      ),
    },
    ...(endpointOf ? [endpoint] : []),
    {
      name: 'Answer',
      cell: (delivery) => (
        <span title={delivery.status_code === null ? undefined : statusLine(delivery.status_code)}>
          {lastAnswer(delivery) ?? <Faint>–</Faint>}
        </span>
      ),
    },
    ...(isOfOneEvent ? [] : [type]),
    { name: 'Attempts', cell: ({ attempt_count }) => attempt_count, isNumber: true, isSecondary: true },
    {
      name: 'Next attempt',
      cell: ({ next_attempt_at }) => <NextAttempt at={next_attempt_at} />,
      isSpare: true,
    },
    ...(isOfOneEvent ? [] : [published]),
  ];
}

const soonMs = 15_000;

/** Whether no attempt is on its way, for `until` of a query: a person who waits for one sees it at once. */
export const isNotDueSoon = ({ next_attempt_at }: Delivery): boolean =>
  next_attempt_at === null || Date.parse(next_attempt_at) - Date.now() > soonMs;

/** Without a next attempt the endpoint is paused or disabled, or the delivery is held. */
export const isSendable = ({ status, next_attempt_at }: Delivery): boolean =>
  status === 'pending' && next_attempt_at !== null;
export const isReplayable = ({ status }: Delivery): boolean => status === 'delivered' || status === 'failed';

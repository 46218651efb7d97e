// The columns of deliveries, in each list of them.
import type { Delivery, WebhookEndpoint } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { deliveryStates, lastAnswer, statusLine } from '#messages/webhooks.ts';
import type { Column } from '#ui/table/table.tsx';
import { Faint, MiddleCut, Status, shortId, Time } from '#ui/text/text.tsx';
import css from './shared.module.css';

export const deliveryColumn = (partner: string): Column<Delivery> => ({
  name: 'Delivery',
  cell: ({ id }) => (
    <Link to="/p/$partner/webhooks/deliveries/$delivery" params={{ partner, delivery: id }} title={id}>
      <code className={css.whole}>{shortId(id)}</code>
    </Link>
  ),
  isSpare: true,
});

/** It leads to the delivery too: narrow windows have no room for the id. */
export const statusColumn = (partner: string): Column<Delivery> => ({
  name: 'Status',
  cell: (delivery) => (
    <Link to="/p/$partner/webhooks/deliveries/$delivery" params={{ partner, delivery: delivery.id }}>
      <Status {...deliveryStates[delivery.state]} />
    </Link>
  ),
});

export const typeColumn: Column<Delivery> = {
  name: 'Event type',
  cell: ({ event_type }) => <code className={css.whole}>{event_type}</code>,
  isSecondary: true,
};

/** The answer of the last attempt. */
export const answerColumn: Column<Delivery> = {
  name: 'Answer',
  cell: (delivery) => (
    <span title={delivery.status_code === null ? undefined : statusLine(delivery.status_code)}>
      {lastAnswer(delivery) ?? <Faint>–</Faint>}
    </span>
  ),
};

export const attemptsColumn: Column<Delivery> = {
  name: 'Attempts',
  cell: ({ attempt_count }) => attempt_count,
  isNumber: true,
  isSecondary: true,
};

export const publishedColumn: Column<Delivery> = {
  name: 'Published',
  at: 'created_at',
  sortBy: 'id',
  isSecondary: true,
};

/** After its time an attempt waits for its turn. */
export const NextAttempt = ({ at }: { at: string | null }) =>
  at !== null && Date.parse(at) < Date.now() ? 'due now' : <Time at={at} />;

export const nextColumn: Column<Delivery> = {
  name: 'Next attempt',
  cell: ({ next_attempt_at }) => <NextAttempt at={next_attempt_at} />,
  isSpare: true,
};

/** An endpoint by its URL, when the caller may see it. The end of a URL tells endpoints apart. */
export const endpointColumn = (
  partner: string,
  endpointOf: (id: string) => Pick<WebhookEndpoint, 'url' | 'description'> | undefined,
): Column<Delivery> => ({
  name: 'Endpoint',
  isWide: true,
  cell: ({ endpoint_id }) => {
    const endpoint = endpointOf(endpoint_id);
    const url = endpoint?.url ?? endpoint_id;
    return (
      <Link
        to="/p/$partner/webhooks/endpoints/$endpoint"
        params={{ partner, endpoint: endpoint_id }}
        title={endpoint?.description ? `${url} (${endpoint.description})` : url}
        aria-label={url}
        className={css.endpoint}
      >
        {endpoint ? <MiddleCut text={url.replace('https://', '')} /> : <code>{shortId(endpoint_id)}</code>}
      </Link>
    );
  },
});

const soonMs = 15_000;

/** Whether no attempt is on its way, for `until` of a query: a person who waits for one sees it at once. */
export const isNotDueSoon = ({ next_attempt_at }: Delivery): boolean =>
  next_attempt_at === null || Date.parse(next_attempt_at) - Date.now() > soonMs;

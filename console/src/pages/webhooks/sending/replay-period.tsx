// Replays what failed at an endpoint in a period. The dialog says before how many deliveries that are.
import { countDeliveries, type DeliveryCounts, startReplay, type WebhookEndpoint } from '@concord/client';
import { type ReactNode, useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { fromLocal, toLocal } from '#format/local-time.ts';
import { formatCount } from '#format/numbers.ts';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { TextField } from '#ui/form/field.tsx';
import { countOf, explain } from './words.ts';

type Props = { endpoint: WebhookEndpoint };

const dayMs = 86_400_000;

/** Offers the last day. Not shown if nothing failed. */
export function ReplayFailed({ endpoint }: Props) {
  const [since] = useState(() => toLocal(new Date(Date.now() - dayMs)));
  const failed = useFailed(filterOf(endpoint, since, ''));
  if (failed === undefined || isNone(failed)) return null;
  const { replayable, complete } = failed;
  const count = complete
    ? formatCount(replayable, 'failed delivery', 'failed deliveries')
    : 'failed deliveries';
  return <ReplayPeriod endpoint={endpoint}>Send {count} again…</ReplayPeriod>;
}

export function ReplayPeriod({ endpoint, children }: Props & { children: ReactNode }) {
  return (
    <DialogButton dialog={(onClose) => <PeriodDialog endpoint={endpoint} onClose={onClose} />}>
      {children}
    </DialogButton>
  );
}

function PeriodDialog({ endpoint, onClose }: Props & { onClose: () => void }) {
  const partner = usePartner();
  const [since, setSince] = useState(() => toLocal(new Date(Date.now() - dayMs)));
  const [until, setUntil] = useState('');
  const filter = filterOf(endpoint, since, until);
  const failed = useFailed(filter);
  return (
    <FormDialog
      title="Replay a period"
      description={
        <p>
          Each delivery to {endpoint.url} that was created in the period and has failed gets a new round of
          attempts. Deliveries that are pending are not among them: send those now instead.
        </p>
      }
      onClose={onClose}
      submit="Send the failed deliveries again"
      explain={explain}
      isDisabled={failed !== undefined && isNone(failed)}
      onSubmit={() => write(startReplay, { path: { id: partner }, body: filter })}
    >
      <TextField
        name="since"
        label="From"
        type="datetime-local"
        required
        value={since}
        onChange={({ target }) => setSince(target.value)}
      />
      <TextField
        name="until"
        label="To"
        type="datetime-local"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
        help="Empty: until now."
      />
      {failed && (
        <p>
          {isNone(failed)
            ? 'No delivery of this period has failed: there is nothing to send again.'
            : `${countOf(failed.replayable, failed.complete)} of this period failed.`}
        </p>
      )}
    </FormDialog>
  );
}

/** A count that ended early can have missed some. */
const isNone = ({ replayable, complete }: DeliveryCounts): boolean => replayable === 0 && complete;

/** The times are local. */
const filterOf = ({ id }: WebhookEndpoint, since: string, until: string) => ({
  endpoint_id: id,
  status: 'failed' as const,
  created_at: `${since && fromLocal(since)}..${until && fromLocal(until)}`,
});

/** How many deliveries the replay would send again. Undefined: not counted yet. */
function useFailed(filter: ReturnType<typeof filterOf>): DeliveryCounts | undefined {
  const partner = usePartner();
  const query = {
    'filter[endpoint_id]': filter.endpoint_id,
    'filter[status]': filter.status,
    'filter[created_at]': filter.created_at,
  };
  const isEnabled = !filter.created_at.startsWith('..');
  const counts = useRead(
    countDeliveries,
    { path: { id: partner }, query },
    { live: true, enabled: isEnabled },
  );
  return counts.isPlaceholderData ? undefined : counts.data?.data;
}

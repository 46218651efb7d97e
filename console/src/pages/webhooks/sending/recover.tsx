// Sends again what failed at an endpoint in a period. The dialog says before how many deliveries that are.
import { countDeliveries, type DeliveryCounts, startRecovery, type WebhookEndpoint } from '@concord/client';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { write } from '../../../api/write.ts';
import { fromLocal, toLocal } from '../../../format/local-time.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { countOf } from './words.ts';

const explain = {
  recovery_running: 'A recovery of this endpoint is running. Wait until it is done.',
  endpoint_disabled: 'The endpoint is disabled. Resume it first.',
};

type Props = { partner: string; endpoint: WebhookEndpoint };

const dayMs = 86_400_000;

/** Of the last day, for which the dialog opens. Not shown without any. */
export function RecoverFailed({ partner, endpoint }: Props) {
  const [since] = useState(() => toLocal(new Date(Date.now() - dayMs)));
  const failed = useFailed({ partner, endpoint: endpoint.id, since, until: '' });
  if (failed === undefined || failed.replayable === 0) return null;
  return (
    <RecoverButton partner={partner} endpoint={endpoint}>
      Send {countFailed(failed)} again…
    </RecoverButton>
  );
}
const countFailed = ({ replayable, complete }: DeliveryCounts): string =>
  complete ? formatCount(replayable, 'failed delivery', 'failed deliveries') : 'failed deliveries';

export function RecoverButton({ partner, endpoint, children }: Props & { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{children}</Button>
      {isOpen && <RecoverDialog partner={partner} endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

function RecoverDialog({ partner, endpoint, onClose }: Props & { onClose: () => void }) {
  const [since, setSince] = useState(() => toLocal(new Date(Date.now() - dayMs)));
  const [until, setUntil] = useState('');
  const path = { id: partner, endpoint_id: endpoint.id };
  const failed = useFailed({ partner, endpoint: endpoint.id, since, until });
  return (
    <Dialog
      title="Recover a period"
      description={
        <p>
          Each delivery to {endpoint.url} that was created in the period and has failed gets a new round of
          attempts. Deliveries that are pending are not among them: send those now instead.
        </p>
      }
      onClose={onClose}
      staysOpen
    >
      <Form
        submit="Send the failed deliveries again"
        beside={<Button onClick={onClose}>Cancel</Button>}
        explain={explain}
        isDisabled={failed?.replayable === 0}
        onSubmit={async (values) => {
          const until = values.optional('until');
          const body = {
            since: fromLocal(values.text('since')),
            ...(until !== null && { until: fromLocal(until) }),
          };
          const job = await write((client) => startRecovery({ client, path, body }));
          if (job) onClose();
        }}
      >
        <TextField
          name="since"
          label="From"
          type="datetime-local"
          required
          value={since}
          onChange={({ target }) => setSince(target.value)}
          help="In the time zone of this computer."
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
            {failed.replayable === 0
              ? 'No delivery of this period has failed: there is nothing to send again.'
              : `${countOf(failed.replayable, failed.complete)} of this period failed.`}
          </p>
        )}
      </Form>
    </Dialog>
  );
}

type Period = { partner: string; endpoint: string; since: string; until: string };
/** How many deliveries the recovery would send again. Undefined: not counted yet. */
function useFailed({ partner, endpoint, since, until }: Period): DeliveryCounts | undefined {
  const period = `${since && fromLocal(since)}..${until && fromLocal(until)}`;
  const query = {
    'filter[endpoint_id]': endpoint,
    'filter[status]': 'failed' as const,
    'filter[created_at]': period,
  };
  const counts = useRead(countDeliveries, { path: { id: partner }, query }, { enabled: since !== '' });
  return counts.isPlaceholderData ? undefined : counts.data?.data;
}

// Sending again what failed in a period, and how far that is.
import {
  countDeliveries,
  type DeliveryCounts,
  listRecoveries,
  type Recovery,
  startRecovery,
  stopRecovery,
  type WebhookEndpoint,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { useWrite, write } from '../../../api/write.ts';
import { useAccess } from '../../../app/session.ts';
import { fromLocal, toLocal } from '../../../format/local-time.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Soft, Status, Time } from '../../../ui/text/text.tsx';
import { countOf } from '../sending/words.ts';
import { Progress } from '../shared/progress.tsx';

const explain = {
  recovery_running: 'A recovery of this endpoint is running. Wait until it is done.',
  endpoint_disabled: 'The endpoint is disabled. Resume it first.',
};

export function Recoveries({ partner, endpoint }: { partner: string; endpoint: WebhookEndpoint }) {
  const [isOpen, setOpen] = useState(false);
  const { can } = useAccess(partner);
  const [since, setSince] = useState(() => toLocal(new Date(Date.now() - 86_400_000)));
  const [until, setUntil] = useState('');
  const path = { id: partner, endpoint_id: endpoint.id };
  const failed = useFailed({ partner, endpoint: endpoint.id, since, until, isOpen });
  const query = useRead(
    listRecoveries,
    { path, query: { page_size: 5, sort_by: 'id', sort_dir: 'desc' } },
    { live: true, until: (jobs) => jobs.every(isDone) },
  );
  return (
    <Section
      title="Recovery"
      about="After an outage: sends again every delivery that failed in a period."
      action={can('deliveries', 'post') && <Button onClick={() => setOpen(true)}>Recover a period…</Button>}
    >
      <Loaded query={query} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Soft>No period has been recovered yet.</Soft>
          ) : (
            <Jobs partner={partner} jobs={data} mayStop={can('deliveries', 'post')} />
          )
        }
      </Loaded>
      {isOpen && (
        <Dialog
          title="Recover a period"
          description={
            <p>
              Each delivery to {endpoint.url} that was created in the period and has failed gets a new round
              of attempts. Deliveries that are pending are not among them: send those now instead.
            </p>
          }
          onClose={() => setOpen(false)}
          staysOpen
        >
          <Form
            submit="Send the failed deliveries again"
            beside={<Button onClick={() => setOpen(false)}>Cancel</Button>}
            explain={explain}
            isDisabled={failed?.replayable === 0}
            onSubmit={async (values) => {
              const until = values.optional('until');
              const body = {
                since: fromLocal(values.text('since')),
                ...(until !== null && { until: fromLocal(until) }),
              };
              const job = await write((client) => startRecovery({ client, path, body }));
              if (job) setOpen(false);
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
      )}
    </Section>
  );
}

type Period = { partner: string; endpoint: string; since: string; until: string; isOpen: boolean };
/** How many deliveries the recovery would send again. Undefined: not counted yet. */
function useFailed({ partner, endpoint, since, until, isOpen }: Period): DeliveryCounts | undefined {
  const period = `${since && fromLocal(since)}..${until && fromLocal(until)}`;
  const query = {
    'filter[endpoint_id]': endpoint,
    'filter[status]': 'failed' as const,
    'filter[created_at]': period,
  };
  const counts = useRead(
    countDeliveries,
    { path: { id: partner }, query },
    { enabled: isOpen && since !== '' },
  );
  return counts.isPlaceholderData ? undefined : counts.data?.data;
}

const isDone = ({ status }: Recovery): boolean => status !== 'running';

const jobStatus = {
  running: { tone: 'info', label: 'Running' },
  completed: { tone: 'good', label: 'Done' },
  stopped: { tone: 'warning', label: 'Stopped' },
} as const;

type JobsProps = { partner: string; jobs: readonly Recovery[]; mayStop: boolean };
function Jobs({ partner, jobs, mayStop }: JobsProps) {
  const { run, isRunning } = useWrite();
  const stop = ({ endpoint_id, id }: Recovery) =>
    run((client) => stopRecovery({ client, path: { id: partner, endpoint_id, job_id: id } }), {
      done: 'It is stopped: the rest stays failed',
    });
  return (
    <Table
      label="Recoveries"
      rows={jobs}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
        {
          name: 'Status',
          cell: ({ status }) => <Status tone={jobStatus[status].tone}>{jobStatus[status].label}</Status>,
        },
        {
          name: 'Sent again',
          cell: ({ replayed, total, status }) => (
            <Progress
              done={replayed}
              of={total}
              label="Deliveries sent again"
              isRunning={status === 'running'}
            />
          ),
        },
        ...(mayStop && jobs.some(({ status }) => status === 'running')
          ? [
              {
                name: 'Stop',
                cell: (job: Recovery) =>
                  job.status === 'running' && (
                    <Button isBusy={isRunning} onClick={() => void stop(job)}>
                      Stop
                    </Button>
                  ),
              },
            ]
          : []),
        { name: 'From', cell: ({ since }) => <Time at={since} />, isSecondary: true },
        { name: 'To', cell: ({ until }) => <Time at={until} />, isSecondary: true },
        {
          name: 'Found',
          cell: ({ total }) => formatCount(total, 'delivery', 'deliveries'),
          isSecondary: true,
        },
      ]}
    />
  );
}

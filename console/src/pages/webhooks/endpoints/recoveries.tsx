// The recoveries of an endpoint, and how far each is.
import { listRecoveries, type Recovery, stopRecovery, type WebhookEndpoint } from '@concord/client';
import { useRead } from '../../../api/read.ts';
import { useWrite } from '../../../api/write.ts';
import { useAccess } from '../../../app/session.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Soft, Status, Time } from '../../../ui/text/text.tsx';
import { RecoverButton } from '../sending/recover.tsx';
import { Progress } from '../shared/progress.tsx';

export function Recoveries({ partner, endpoint }: { partner: string; endpoint: WebhookEndpoint }) {
  const { can } = useAccess(partner);
  const path = { id: partner, endpoint_id: endpoint.id };
  const query = useRead(
    listRecoveries,
    { path, query: { page_size: 5, sort_by: 'id', sort_dir: 'desc' } },
    { live: true, until: (jobs) => jobs.every(isDone) },
  );
  return (
    <Section
      title="Recovery"
      about="After an outage: sends again every delivery that failed in a period."
      action={
        can('deliveries', 'post') && (
          <RecoverButton partner={partner} endpoint={endpoint}>
            Recover a period…
          </RecoverButton>
        )
      }
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
    </Section>
  );
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
      done: 'Stopped. The remaining deliveries stay failed.',
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

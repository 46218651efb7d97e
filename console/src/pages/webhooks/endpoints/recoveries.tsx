// Sending again what failed in a period, and how far that is.
import { listRecoveries, type Recovery, startRecovery, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { write } from '../../../api/write.ts';
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
import { Progress } from '../shared/progress.tsx';

const explain = {
  recovery_running: 'A recovery of this endpoint is running. Wait until it is done.',
  endpoint_disabled: 'The endpoint is disabled. Resume it first.',
};

export function Recoveries({ partner, endpoint }: { partner: string; endpoint: WebhookEndpoint }) {
  const [isOpen, setOpen] = useState(false);
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
      about="After an outage: sends all deliveries again that failed in a period."
      action={can('deliveries', 'post') && <Button onClick={() => setOpen(true)}>Recover a period…</Button>}
    >
      <Loaded query={query} lines={2}>
        {({ data }) => (data.length === 0 ? <Soft>No period was recovered yet.</Soft> : <Jobs jobs={data} />)}
      </Loaded>
      {isOpen && (
        <Dialog
          title="Recover a period"
          description={
            <p>Each delivery to this endpoint that was created in the period and has failed gets a new round of attempts.</p>
          }
          onClose={() => setOpen(false)}
          staysOpen
        >
          <Form
            submit="Send the failed deliveries again"
            beside={<Button onClick={() => setOpen(false)}>Cancel</Button>}
            explain={explain}
            onSubmit={async (values) => {
              const until = values.optional('until');
              const body = { since: fromLocal(values.text('since')), ...(until !== null && { until: fromLocal(until) }) };
              const job = await write((client) => startRecovery({ client, path, body }));
              if (job) setOpen(false);
            }}
          >
            <TextField
              name="since"
              label="From"
              type="datetime-local"
              required
              defaultValue={toLocal(new Date(Date.now() - 86_400_000))}
              help="In the time zone of this computer."
            />
            <TextField name="until" label="To" type="datetime-local" help="Empty: until now." />
          </Form>
        </Dialog>
      )}
    </Section>
  );
}

const isDone = ({ status }: Recovery): boolean => status === 'completed';

function Jobs({ jobs }: { jobs: readonly Recovery[] }) {
  return (
    <Table
      label="Recoveries"
      rows={jobs}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
        {
          name: 'Status',
          cell: ({ status }) => (
            <Status tone={status === 'running' ? 'info' : 'good'}>{status === 'running' ? 'Running' : 'Done'}</Status>
          ),
        },
        {
          name: 'Sent again',
          cell: ({ replayed, total, status }) => (
            <Progress done={replayed} of={total} label="Deliveries sent again" isRunning={status === 'running'} />
          ),
        },
        { name: 'From', cell: ({ since }) => <Time at={since} />, isSecondary: true },
        { name: 'To', cell: ({ until }) => <Time at={until} />, isSecondary: true },
        { name: 'Found', cell: ({ total }) => formatCount(total, 'delivery', 'deliveries'), isSecondary: true },
      ]}
    />
  );
}

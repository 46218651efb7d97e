// Resumes an endpoint. If deliveries wait for it, the dialog asks whether those that wait for a retry are
// sent now too.
import { resumeWebhookEndpoint, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { useWrite, type WriteClient, write } from '../../../api/write.ts';
import { useAccess } from '../../../app/session.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { CheckField } from '../../../ui/form/field.tsx';
import { countOf, explain, mostPending } from './words.ts';

type Props = {
  partner: string;
  endpoint: WebhookEndpoint;
  /** Undefined: not known. */
  pending: number | undefined;
};

export function ResumeEndpoint({ partner, endpoint, pending }: Props) {
  const { can } = useAccess(partner);
  const { run, isRunning } = useWrite();
  const [isOpen, setOpen] = useState(false);
  const [sendsNow, setSendsNow] = useState(true);
  const path = { id: partner, endpoint_id: endpoint.id };
  const mayAsk = can('deliveries', 'query') && can('deliveries', 'post') && !endpoint.check.blocks_deliveries;
  const asks = mayAsk && pending !== 0;
  const resume = (send_now: boolean) => (client: WriteClient) =>
    resumeWebhookEndpoint({ client, path, ...(send_now && { body: { send_now } }) });
  const done = 'The endpoint is active: its deliveries are sent';

  return (
    <>
      <Button
        look="primary"
        isBusy={isRunning}
        onClick={() => (asks ? setOpen(true) : void run(resume(false), { done }))}
      >
        {asks ? 'Resume…' : 'Resume'}
      </Button>
      {isOpen && (
        <Confirm
          title={`Resume the endpoint ${endpoint.url}?`}
          confirm="Resume the endpoint"
          isDangerous={false}
          explain={explain}
          onConfirm={() => write(resume(sendsNow), { done })}
          onClose={() => setOpen(false)}
        >
          {pending !== undefined && (
            <p>
              {countOf(pending, pending < mostPending)} {pending === 1 ? 'waits' : 'wait'} for it. What is due
              is sent at once.
            </p>
          )}
          <CheckField
            label="Send deliveries that wait for a retry now"
            help="Otherwise each retry keeps its time, which can be hours away. Earlier attempts still count."
            checked={sendsNow}
            onChange={({ target }) => setSendsNow(target.checked)}
          />
        </Confirm>
      )}
    </>
  );
}

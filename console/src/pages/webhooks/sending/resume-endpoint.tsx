// Resumes an endpoint. If deliveries wait for it, the dialog asks whether those that wait for a retry are
// sent now too.
import { resumeWebhookEndpoint, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { CheckField } from '#ui/form/field.tsx';
import { countOf, explain, mostPending } from './words.ts';

type Props = {
  endpoint: WebhookEndpoint;
  /** Undefined: not known. */
  pending: number | undefined;
};

const optionsOf = (partner: string, { endpoint }: Props, send_now: boolean) => ({
  path: { id: partner, endpoint_id: endpoint.id },
  ...(send_now && { body: { send_now } }),
});
const done = 'The endpoint is active: its deliveries are sent';

/** `asks`: whether something can wait that the person may send now. */
export function useResume() {
  const { can, partner } = useAccess();
  const { run, isRunning } = useWrite();
  const mayAsk = can('deliveries', 'query') && can('deliveries', 'post');
  return {
    isRunning,
    asks: ({ endpoint, pending }: Props) => mayAsk && !endpoint.check.blocks_deliveries && pending !== 0,
    start: (props: Props) => void run(resumeWebhookEndpoint, optionsOf(partner, props, false), { done }),
  };
}

export function ResumeDialog({ onClose, ...props }: Props & { onClose: () => void }) {
  const partner = usePartner();
  const { endpoint, pending } = props;
  const [sendsNow, setSendsNow] = useState(true);
  return (
    <Confirm
      title={`Resume the endpoint ${endpoint.url}?`}
      confirm="Resume the endpoint"
      isDangerous={false}
      explain={explain}
      onConfirm={() => write(resumeWebhookEndpoint, optionsOf(partner, props, sendsNow), { done })}
      onClose={onClose}
    >
      {pending !== undefined && (
        <p>
          {countOf(pending, pending < mostPending)} {pending === 1 ? 'waits' : 'wait'} for it. What is due is
          sent at once.
        </p>
      )}
      <CheckField
        label="Send deliveries that wait for a retry now"
        help="Otherwise each retry keeps its time, which can be hours away. Earlier attempts still count."
        checked={sendsNow}
        onChange={({ target }) => setSendsNow(target.checked)}
      />
    </Confirm>
  );
}

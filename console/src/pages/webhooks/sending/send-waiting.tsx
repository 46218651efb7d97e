// What waits at an endpoint for a retry, with the offer to send it now.
import { countDeliveries, type DeliveryCounts, startSendNow, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Row } from '../../../ui/layout/page.tsx';
import { isRunning, useJobs } from './jobs.ts';
import { countOf, explain } from './words.ts';

type Props = { partner: string; endpoint: WebhookEndpoint };

/**
 * For an active endpoint. At a strict endpoint only the first delivery waits for a retry, and all others wait
 * for it.
 */
export function SendWaiting({ partner, endpoint }: Props) {
  const [isOpen, setOpen] = useState(false);
  const path = { id: partner };
  const ofEndpoint = { 'filter[endpoint_id]': endpoint.id, 'filter[status]': 'pending' as const };
  const last = useJobs(partner).find(({ filter }) => filter.endpoint_id === endpoint.id);
  // After a send-now, until what it made due has arrived.
  const hasEnded = last?.completed_at != null && Date.now() - Date.parse(last.completed_at) < 60_000;
  const settings = {
    live: true,
    ...(hasEnded && { until: ({ sendable }: DeliveryCounts) => sendable === 0 }),
  };
  const tried = useRead(
    countDeliveries,
    { path, query: { ...ofEndpoint, 'filter[attempt_count]': '1..' } },
    settings,
  );
  const waits = (tried.data?.data.sendable ?? 0) > 0;
  const all = useRead(countDeliveries, { path, query: ofEndpoint }, { ...settings, enabled: waits });
  if ((last && isRunning(last)) || !waits || all.data === undefined || all.data.data.sendable === 0)
    return null;
  const { sendable, complete } = all.data.data;
  const count = countOf(sendable, complete);
  return (
    <Banner tone="info" title={`${count} ${sendable === 1 ? 'waits' : 'wait'} to be sent`}>
      <p>
        Concord sends them by the schedule of retries, which can be hours away. If the receiver works again,
        send them now.
      </p>
      <Row>
        <Button onClick={() => setOpen(true)}>Send {count} now…</Button>
      </Row>
      {isOpen && (
        <Confirm
          title={`Send ${count} to ${endpoint.url} now?`}
          confirm="Send now"
          isDangerous={false}
          explain={explain}
          onConfirm={() =>
            write((client) => startSendNow({ client, path, body: { endpoint_id: endpoint.id } }), {
              done: 'What waits is being sent',
            })
          }
          onClose={() => setOpen(false)}
        >
          <p>
            Their next attempt is made now. Earlier attempts still count: if one fails again, its retry
            schedule continues where it was.
          </p>
        </Confirm>
      )}
    </Banner>
  );
}

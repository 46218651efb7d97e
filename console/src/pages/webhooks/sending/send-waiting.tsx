// What waits at an endpoint for a retry, with the offer to send it now.
import { countDeliveries, type DeliveryCounts, startSendNow, type WebhookEndpoint } from '@concord/client';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { ConfirmButton } from '#ui/dialog/dialog.tsx';
import { isRunning, useJobs } from './jobs.ts';
import { aboutSendNow, countOf, explain, mostPending } from './words.ts';

type Props = {
  endpoint: WebhookEndpoint;
  isEnabled: boolean;
  /** The last attempts failed, or some of them. */
  isFailing: boolean;
  /** From the statistics, which count all of a long queue. */
  pending: number | undefined;
};

/**
 * The deliveries that can be sent now. Null: nothing waits for a retry, or it was sent in the last minute.
 * At a strict endpoint only the first delivery waits for a retry, and all others wait for it.
 * `isEnabled`: the endpoint is active, and the person may send.
 */
export function useWaiting({ endpoint, isEnabled, isFailing, pending }: Props): DeliveryCounts | null {
  const partner = usePartner();
  const path = { id: partner };
  const ofEndpoint = { 'filter[endpoint_id]': endpoint.id, 'filter[status]': 'pending' as const };
  const last = useJobs(isEnabled).find(({ filter }) => filter.endpoint_id === endpoint.id);
  const isRecent = last?.completed_at != null && Date.now() - Date.parse(last.completed_at) < 60_000;
  const hasSent = last && (isRunning(last) || (last.status === 'completed' && isRecent));
  const enabled = isEnabled && !hasSent;
  const query = { ...ofEndpoint, 'filter[attempt_count]': '1..' };
  const tried = useRead(countDeliveries, { path, query }, { live: true, enabled }).data?.data;
  // Behind a long queue of another endpoint the count ends before it comes to these.
  const waits = tried !== undefined && (tried.sendable > 0 || (isFailing && !tried.complete));
  const isAsked = enabled && waits;
  const all = useRead(countDeliveries, { path, query: ofEndpoint }, { live: true, enabled: isAsked });
  if (!isAsked || all.data === undefined) return null;
  const counted = all.data.data;
  const counts =
    counted.complete || pending === undefined
      ? counted
      : { ...counted, sendable: pending, complete: pending < mostPending };
  return counts.sendable === 0 ? null : counts;
}

/** `7 deliveries wait to be sent`. */
export const titleOf = ({ sendable, complete }: DeliveryCounts): string =>
  `${countOf(sendable, complete)} ${sendable === 1 ? 'waits' : 'wait'} to be sent`;

type ButtonProps = { endpoint: WebhookEndpoint; counts: DeliveryCounts };

export function SendWaiting({ endpoint, counts: { sendable, complete } }: ButtonProps) {
  const partner = usePartner();
  const count = countOf(sendable, complete);
  return (
    <ConfirmButton
      button={`Send ${count} now…`}
      title={`Send ${count} to ${endpoint.url} now?`}
      confirm="Send now"
      isDangerous={false}
      explain={explain}
      onConfirm={() =>
        write(
          startSendNow,
          { path: { id: partner }, body: { endpoint_id: endpoint.id } },
          { done: 'Sending pending deliveries' },
        )
      }
    >
      {aboutSendNow}
    </ConfirmButton>
  );
}

// Sends now, or replays, the deliveries that are selected on this page. Each is offered for those that it can
// send.
import { ConcordError, type Delivery, replayDelivery, startSendNow } from '@concord/client';
import { useState } from 'react';
import { queryClient } from '#api/query-client.ts';
import { toast } from '#api/toasts.ts';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button/button.tsx';
import { Row } from '#ui/layout/page.tsx';
import { Soft } from '#ui/text/text.tsx';
import { isSendable } from './send-one.tsx';

type Props = { deliveries: readonly Delivery[]; onDone: () => void };

export function SendSelected({ deliveries, onDone }: Props) {
  const partner = usePartner();
  const { run, isRunning } = useWrite();
  const [done, setDone] = useState<number | null>(null);
  const replayable = deliveries.filter(({ status }) => status === 'delivered' || status === 'failed');
  const sendable = deliveries.filter(isSendable);
  const rest = deliveries.length - replayable.length - sendable.length;

  async function sendNow() {
    const body = { delivery_ids: sendable.map(({ id }) => id) };
    const started = await run(
      startSendNow,
      { path: { id: partner }, body },
      { done: `${formatCount(sendable.length, 'delivery is', 'deliveries are')} sent now` },
    );
    if (started !== undefined) onDone();
  }

  async function replay() {
    let failures = 0;
    let last: ConcordError | null = null;
    for (const [index, { id }] of replayable.entries()) {
      setDone(index);
      try {
        await write(replayDelivery, { path: { id: partner, delivery_id: id } }, { keepsCache: true });
      } catch (error) {
        if (!(error instanceof ConcordError)) throw error;
        failures += 1;
        last = error;
      }
    }
    setDone(null);
    await queryClient.invalidateQueries();
    if (last === null) {
      toast({
        tone: 'good',
        text: `${formatCount(replayable.length, 'delivery is', 'deliveries are')} sent again`,
      });
      onDone();
    } else {
      toast({
        tone: 'bad',
        text: `${formatCount(failures, 'delivery was', 'deliveries were')} not sent: ${last.message}`,
      });
    }
  }

  return (
    <Row>
      {sendable.length > 0 && (
        <Button look="primary" isBusy={isRunning} onClick={() => void sendNow()}>
          Send {formatCount(sendable.length, 'delivery', 'deliveries')} now
        </Button>
      )}
      {replayable.length > 0 && (
        <Button
          look={sendable.length > 0 ? 'secondary' : 'primary'}
          isBusy={done !== null}
          onClick={() => void replay()}
        >
          {done === null
            ? `Replay ${formatCount(replayable.length, 'delivery', 'deliveries')}`
            : `Replaying ${done + 1} of ${replayable.length}`}
        </Button>
      )}
      {rest > 0 && (
        <Soft>
          {formatCount(
            rest,
            'selected delivery stays as it is: it is',
            'selected deliveries stay as they are: they are',
          )}{' '}
          cancelled, or the endpoint is paused or disabled.
        </Soft>
      )}
    </Row>
  );
}

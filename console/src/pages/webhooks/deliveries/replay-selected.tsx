// Replays the deliveries that are selected on this page, one after the other.
import { ConcordError, type Delivery, replayDelivery } from '@concord/client';
import { useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { toast } from '../../../api/toasts.ts';
import { write } from '../../../api/write.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Row } from '../../../ui/layout/page.tsx';
import { Soft } from '../../../ui/text/text.tsx';

type Props = { partner: string; deliveries: readonly Delivery[]; onDone: () => void };

export function ReplaySelected({ partner, deliveries, onDone }: Props) {
  const [done, setDone] = useState<number | null>(null);
  const able = deliveries.filter(({ status }) => status === 'delivered' || status === 'failed');

  async function run() {
    let failures = 0;
    let last: ConcordError | null = null;
    for (const [index, { id }] of able.entries()) {
      setDone(index);
      try {
        await write((client) => replayDelivery({ client, path: { id: partner, delivery_id: id } }), { keepsCache: true });
      } catch (error) {
        if (!(error instanceof ConcordError)) throw error;
        failures += 1;
        last = error;
      }
    }
    setDone(null);
    await queryClient.invalidateQueries();
    if (last === null) {
      toast({ tone: 'good', text: `${formatCount(able.length, 'delivery is', 'deliveries are')} sent again` });
      onDone();
    } else {
      toast({ tone: 'bad', text: `${formatCount(failures, 'delivery was', 'deliveries were')} not sent: ${last.message}` });
    }
  }

  return (
    <Row>
      <Button look="primary" isBusy={done !== null} disabled={able.length === 0} onClick={() => void run()}>
        {done === null
          ? `Replay ${formatCount(able.length, 'delivery', 'deliveries')}`
          : `Replaying ${done + 1} of ${able.length}`}
      </Button>
      {able.length < deliveries.length && (
        <Soft>
          {formatCount(deliveries.length - able.length, 'selected delivery is', 'selected deliveries are')} pending or cancelled,
          and stays as it is.
        </Soft>
      )}
    </Row>
  );
}

// Replays all deliveries that match the filters, in the background.
import { type StartReplay, startReplay } from '@concord/client';
import { useState } from 'react';
import { write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Facts } from '../../../ui/text/text.tsx';
import type { FilterName } from './delivery-filters.tsx';
import { FilterFacts } from './filter-facts.tsx';

type Props = { partner: string; filters: Readonly<Record<FilterName, string>> };

export function ReplayAll({ partner, filters }: Props) {
  const [isOpen, setOpen] = useState(false);
  const body = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as StartReplay;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Replay all that match…</Button>
      {isOpen && (
        <Confirm
          title="Replay all deliveries that match?"
          confirm="Replay them"
          isDangerous={false}
          onConfirm={() =>
            write((client) => startReplay({ client, path: { id: partner }, body }), { done: 'The replay has begun' })
          }
          onClose={() => setOpen(false)}
        >
          <Facts>
            <FilterFacts filter={body} />
          </Facts>
          <p>
            Each of them gets a new round of attempts, also if it was delivered before: the receiver then gets the event again,
            with the same id. Deliveries that are pending, or whose endpoint is disabled or deleted, are skipped.
          </p>
          {body.status === undefined && body.state === undefined && (
            <p>The filters name no status. To send only what failed, choose the status Failed first.</p>
          )}
        </Confirm>
      )}
    </>
  );
}

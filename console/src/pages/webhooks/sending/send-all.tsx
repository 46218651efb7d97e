// Sends now, or replays, all deliveries that match the filters. Each is offered with the number of deliveries
// that it would send.
import {
  countDeliveries,
  type DeliveryCounts,
  type Replay,
  type StartReplay,
  startReplay,
  startSendNow,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { Facts } from '#ui/text/text.tsx';
import { FilterFacts } from '../deliveries/filter-facts.tsx';
import { isRunning, useJobs } from './jobs.ts';
import { aboutSendNow, countOf, explain } from './words.ts';

type Props = {
  filters: Readonly<Record<string, string>>;
  urlOf: (endpoint: string) => string | undefined;
};

export function SendAll({ filters, urlOf }: Props) {
  const partner = usePartner();
  const [action, setAction] = useState<Replay['action'] | null>(null);
  const chosen = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== ''),
  ) as StartReplay;
  const query = Object.fromEntries(Object.entries(chosen).map(([name, value]) => [`filter[${name}]`, value]));
  const counts = useRead(countDeliveries, { path: { id: partner }, query });
  const running = useJobs().filter(isRunning);
  const runs = (action: Replay['action']) => running.some((job) => job.action === action);
  // What was counted for other filters must not be offered for these.
  if (counts.data === undefined || counts.isPlaceholderData) return null;
  const { sendable, replayable, complete } = counts.data.data;
  const canHave = (...states: string[]) => !complete && states.includes(chosen.state ?? chosen.status ?? '');
  const confirmed = { filter: chosen, counts: counts.data.data, urlOf, onClose: () => setAction(null) };
  return (
    <>
      {(sendable > 0 || canHave('pending', 'queued', 'retrying')) && !runs('send_now') && (
        <Button onClick={() => setAction('send_now')}>Send {countOf(sendable, complete)} now…</Button>
      )}
      {(replayable > 0 || canHave('failed', 'cancelled')) && !runs('replay') && (
        <Button onClick={() => setAction('replay')}>Replay {countOf(replayable, complete)}…</Button>
      )}
      {action === 'send_now' && <ConfirmSendNow {...confirmed} />}
      {action === 'replay' && <ConfirmReplay {...confirmed} />}
    </>
  );
}

type ConfirmProps = Pick<Props, 'urlOf'> & {
  filter: StartReplay;
  counts: DeliveryCounts;
  onClose: () => void;
};

function ConfirmSendNow({ filter, counts: { matching, sendable, complete }, urlOf, onClose }: ConfirmProps) {
  const path = { id: usePartner() };
  return (
    <Confirm
      title={`Send ${countOf(sendable, complete)} now?`}
      confirm="Send now"
      isDangerous={false}
      explain={explain}
      onConfirm={() =>
        write(
          startSendNow,
          { path, body: { ...filter, status: 'pending' } },
          { done: 'Sending pending deliveries' },
        )
      }
      onClose={onClose}
    >
      <Facts>
        <FilterFacts filter={filter} urlOf={urlOf} />
      </Facts>
      <p>{aboutSendNow} An endpoint with strict order gets them in order.</p>
      <Rest count={matching - sendable} isComplete={complete}>
        they are not pending, or their endpoint is paused or disabled.
      </Rest>
    </Confirm>
  );
}

function ConfirmReplay({ filter, counts: { matching, replayable, complete }, urlOf, onClose }: ConfirmProps) {
  const path = { id: usePartner() };
  return (
    <Confirm
      title={`Replay ${countOf(replayable, complete)}?`}
      confirm="Replay them"
      isDangerous={false}
      explain={explain}
      onConfirm={() => write(startReplay, { path, body: filter }, { done: 'The replay has begun' })}
      onClose={onClose}
    >
      <Facts>
        <FilterFacts filter={filter} urlOf={urlOf} />
      </Facts>
      <p>
        Each gets a new round of attempts, also if it was delivered before: the receiver then gets the event
        again, with the same id.
      </p>
      <Rest count={matching - replayable} isComplete={complete}>
        they are pending, or their endpoint is disabled or deleted.
      </Rest>
      {filter.status === undefined && filter.state === undefined && (
        <p>The filters name no status. To send only what failed, choose the status Failed first.</p>
      )}
    </Confirm>
  );
}

type RestProps = { count: number; isComplete: boolean; children: string };
/** `children`: why they stay. */
const Rest = ({ count, isComplete, children }: RestProps) =>
  count > 0 && (
    <p>
      {countOf(count, isComplete)} that match stay as they are: {children}
    </p>
  );

// What waited in a restored backup, and the choice between sending it and giving it up. Nothing is shown when
// nothing is held.
import { chooseHeldDeliveries, getHeldDeliveries, type HeldDeliveries } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Row } from '#ui/layout/page.tsx';
import { Time } from '#ui/text/text.tsx';

type Choice = 'send' | 'fail';

export function Held() {
  const held = useRead(getHeldDeliveries, {}, { live: true }).data?.data;
  const [asked, setAsked] = useState<Choice | null>(null);
  if (held === undefined || held.state === 'none') return null;
  const what = `${formatMany(held.deliveries, 100_000, 'delivery', 'deliveries')} and ${formatMany(held.mails, 10_000, 'mail', 'mails')}`;
  const { confirm, about, done } = words[asked ?? 'send'];
  return (
    <Banner tone="warning" title="This installation was restored from a backup">
      <p>
        {what} waited in the backup, which is from <Time at={held.taken_at} />. {states[held.state]}
      </p>
      <Row>
        {held.state !== 'sending' && <Button onClick={() => setAsked('send')}>Send them</Button>}
        {held.state !== 'failing' && <Button onClick={() => setAsked('fail')}>Mark them failed</Button>}
      </Row>
      {asked !== null && (
        <Confirm
          title={`${confirm}?`}
          confirm={confirm}
          onClose={() => setAsked(null)}
          onConfirm={() => write(chooseHeldDeliveries, { body: { choice: asked } }, { done })}
        >
          {what}: {about}
        </Confirm>
      )}
    </Banner>
  );
}

/** The server counts up to `most`. */
const formatMany = (count: number, most: number, one: string, many: string): string =>
  count === most ? `${formatNumber(count)} or more ${many}` : formatCount(count, one, many);

const states: Readonly<Record<Exclude<HeldDeliveries['state'], 'none'>, string>> = {
  waiting:
    'They are held, because nobody can know which of them were sent since then. New ones are sent as usual.',
  sending: 'They are being sent.',
  failing: 'They are being marked as failed.',
};

const words: Readonly<Record<Choice, { confirm: string; about: string; done: string }>> = {
  send: {
    confirm: 'Send what is held',
    about: 'they are sent now. Receivers get a webhook a second time if it was sent after the backup.',
    done: 'What was held is being sent',
  },
  fail: {
    confirm: 'Mark what is held as failed',
    about: 'they are not sent. You can replay the deliveries later. The mails are deleted.',
    done: 'What was held is being marked as failed',
  },
};

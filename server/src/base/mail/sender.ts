// Leases due mails, sends them, and retries failed ones with back-off for three days.
import { toMailFailure } from './failure.ts';
import type { LeasedMail, Outbox } from './store.ts';
import type { Transport } from './transport.ts';

/** One statement removes mails that end together. */
const batchSize = 10;
const giveUpAfterMs = 3 * 24 * 60 * 60_000;

type Options = {
  outbox: Outbox;
  transport: Transport;
  onFailure: (failure: { mailId?: string; attempts?: number; givenUp?: boolean; error: unknown }) => void;
  pollMs?: number;
};

export type Sender = {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
};

export function createSender({ outbox, transport, onFailure, pollMs = 5_000 }: Options): Sender {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let wakeRequested = false;
  let stopped = true;

  async function sendDue(): Promise<void> {
    for (;;) {
      const due = await outbox.lease(batchSize);
      await Promise.all(due.map(sendOne));
      if (due.length < batchSize) return;
    }
  }

  async function sendOne({ id, open, attempts, ageMs }: LeasedMail): Promise<void> {
    try {
      await transport.send(open(), id);
      await outbox.remove(id);
    } catch (thrown) {
      const { error, isRefused, isPermanent } = toMailFailure(thrown);
      const givenUp = isPermanent || ageMs > giveUpAfterMs;
      onFailure({ mailId: id, attempts, givenUp, error });
      if (givenUp) await outbox.remove(id);
      // Back-off: 5 s, 10 s, 20 s, ... at most an hour.
      else {
        const afterSeconds = Math.min(3_600, 5 * 2 ** (attempts - 1));
        await outbox.retry(id, afterSeconds, { error: error.message, to: isRefused ? open().to : null });
      }
    }
  }

  function wake(): void {
    wakeRequested = true;
    if (stopped || round) return;
    clearTimeout(timer);
    wakeRequested = false;
    round = sendDue()
      .catch((error) => onFailure({ error }))
      .finally(() => {
        round = undefined;
        if (stopped) return;
        if (wakeRequested) wake();
        else timer = setTimeout(wake, pollMs).unref();
      });
  }

  return {
    start() {
      stopped = false;
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

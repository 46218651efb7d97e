// The sender: takes due mail under a lease, sends it, and tries again later what was not accepted.
import type { Outbox } from './store.ts';
import type { Transport } from './transport.ts';

const batch = 10;
const giveUpAfterMs = 3 * 24 * 60 * 60_000;

type Options = {
  outbox: Outbox;
  transport: Transport;
  onFailure: (failure: { mailId?: string; attempts?: number; givenUp?: boolean; error: unknown }) => void;
  pollMs?: number;
};

export type Sender = {
  start(): void;
  /** Something was enqueued: look now. */
  wake(): void;
  /** Finishes the mail that is being sent. */
  stop(): Promise<void>;
};

export function createSender({ outbox, transport, onFailure, pollMs = 5_000 }: Options): Sender {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let wanted = false;
  let stopped = true;

  async function sendDue(): Promise<void> {
    for (;;) {
      const due = await outbox.lease(batch);
      await Promise.all(due.map(sendOne));
      if (due.length < batch) return;
    }
  }

  async function sendOne({ id, open, attempts, ageMs }: Awaited<ReturnType<Outbox['lease']>>[number]): Promise<void> {
    try {
      await transport.send(open(), id);
      await outbox.remove(id);
    } catch (error) {
      const givenUp = ageMs > giveUpAfterMs;
      onFailure({ mailId: id, attempts, givenUp, error });
      if (givenUp) await outbox.remove(id);
      // 5 s, 10 s, 20 s, ... an hour at most.
      else await outbox.retry(id, Math.min(3_600, 5 * 2 ** (attempts - 1)), String((error as Error).message).slice(0, 500));
    }
  }

  function wake(): void {
    wanted = true;
    if (stopped || round) return;
    clearTimeout(timer);
    wanted = false;
    round = sendDue()
      .catch((error) => onFailure({ error }))
      .finally(() => {
        round = undefined;
        if (stopped) return;
        if (wanted) wake();
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

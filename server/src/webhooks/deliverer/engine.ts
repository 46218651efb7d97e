// The engine of a process that sends webhooks: its deliverer with all that it needs, woken by notifications and by polling.
import type { Listen } from '../../postgres/notifications.ts';
import { createAttempt } from './attempts.ts';
import { createDeliverer } from './deliverer.ts';
import { laneChannel, ofRecovery } from './lane-store.ts';
import { createRecorder } from './recorder.ts';
import { createSend } from './send.ts';

type Options = Omit<Parameters<typeof createAttempt>[0], 'send' | 'onFault'> &
  Pick<Parameters<typeof createDeliverer>[0], 'signing' | 'concurrency'> &
  Omit<Parameters<typeof createRecorder>[0], 'onFault'> & {
    listen: Listen;
    timeoutMs: number;
    proxyUrl: URL | null;
    /** One step of a recovery; answers with whether there is more to do. */
    recover: () => Promise<boolean>;
    onFault: (error: unknown, deliveryId?: string) => void;
  };

export type Engine = {
  start(): Promise<void>;
  /** Finishes what is in flight: within `patienceMs`; what then still is will be sent again. */
  stop(patienceMs: number): Promise<void>;
};

const recoverEveryMs = 5_000;

export function createEngine(options: Options): Engine {
  const { listen, timeoutMs, proxyUrl, recover, onFault } = options;
  const { send, close } = createSend({ destinations: options.destinations, timeoutMs, proxyUrl });
  const recorder = createRecorder(options);
  const deliverer = createDeliverer({ ...options, attempt: createAttempt({ ...options, send }), recorder });
  const notifications = listen(laneChannel, (payload) => {
    if (payload !== ofRecovery) deliverer.wake();
    if (payload === undefined || payload === ofRecovery) startRecovering();
  });

  let recovering: Promise<void> | undefined;
  let poll: NodeJS.Timeout | undefined;
  let stopped = false;
  function startRecovering(): void {
    if (stopped) return;
    recovering ??= recoverAll()
      .catch(onFault)
      .finally(() => {
        recovering = undefined;
      });
  }
  async function recoverAll(): Promise<void> {
    while (!stopped && (await recover())) deliverer.wake();
  }

  return {
    async start() {
      deliverer.start();
      poll = setInterval(startRecovering, recoverEveryMs);
      await notifications.start();
    },
    async stop(patienceMs) {
      stopped = true;
      clearInterval(poll);
      let patience: NodeJS.Timeout | undefined;
      const outOfPatience = new Promise<void>((resolve) => {
        patience = setTimeout(() => {
          deliverer.abandon();
          close();
          resolve();
        }, patienceMs);
      });
      const others = Promise.all([notifications.stop(), recovering]);
      await deliverer.stop();
      await Promise.race([others, outOfPatience]);
      clearTimeout(patience);
      close();
    },
  };
}

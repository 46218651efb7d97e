// The engine of a process that sends webhooks: a deliverer and its parts, woken by notifications and by
// polling.
import { randomUUID } from 'node:crypto';
import { createSend, type Destinations, type LookUp } from '../../base/egress/index.ts';
import type { Database, OpenDatabase, Queryable } from '../../base/postgres/database.ts';
import { lookUpSettings } from '../../base/postgres/look-ups.ts';
import type { Listen } from '../../base/postgres/notifications.ts';
import { checkPayload, laneChannel, replayPayload } from '../lanes/store.ts';
import { createAccessTokens } from './access-tokens.ts';
import { type AttemptOptions, createMakeAttempt } from './attempt.ts';
import { createDeliverer, type Deliverer } from './deliverer.ts';
import { createRecorder, type RecorderOptions } from './recorder.ts';
import { createSendToEndpoint, type SendToEndpoint } from './send-to-endpoint.ts';

type Options = Pick<AttemptOptions, 'sealings' | 'retryTerms' | 'userAgents' | 'askListener' | 'tracing'> &
  Pick<RecorderOptions, 'signers' | 'notifyDisabled' | 'observer'> & {
    /** Opens a pool of its own, so that deliveries continue while requests wait for connections. */
    openDatabase: OpenDatabase;
    listen: Listen;
    concurrency: number;
    timeoutMs: number;
    destinations: Destinations;
    isReceiver: (on: Queryable, endpointId: string, url: string) => Promise<boolean>;
    lookUp: LookUp;
    proxyUrl: URL | null;
    /** What runs checks of endpoints: it sends as deliveries do. */
    createChecks: (sending: { db: Database; send: SendToEndpoint }) => {
      look(): void;
      stop(): Promise<void>;
    };
    /** Makes one step of a replay. Returns whether there is more to do. */
    replay: (db: Database) => Promise<boolean>;
    onFault: (error: unknown, deliveryId?: string) => void;
  };

type Engine = {
  readonly deliverer: Pick<Deliverer, 'publishing' | 'lanes'>;
  start(): Promise<void>;
  /** Finishes requests in flight within `patienceMs`. The rest will be sent again. */
  stop(patienceMs: number): Promise<void>;
};

const lookEveryMs = 5_000;

export function createEngine(options: Options): Engine {
  const { destinations, sealings, timeoutMs, lookUp, proxyUrl, onFault } = options;
  const db = options.openDatabase({ pool: 'deliveries', maxConnections: 4, settings: lookUpSettings });
  const { send: sendAnywhere, close } = createSend({ destinations, timeoutMs, lookUp, proxyUrl });
  const tokens = createAccessTokens({ send: sendAnywhere, destinations, ...sealings });
  const owner = randomUUID();
  const recorder = createRecorder({ ...options, db, owner });
  const isReceiver = (endpointId: string, url: string) => options.isReceiver(db, endpointId, url);
  const send = createSendToEndpoint({ ...options, send: sendAnywhere, tokens, isReceiver });
  const makeAttempt = createMakeAttempt({ ...options, send });
  const deliverer = createDeliverer({ ...options, db, owner, makeAttempt, recorder });
  const checks = options.createChecks({ db, send });
  const notifications = options.listen(laneChannel, (payload) => {
    if (payload === undefined) lookForMissed();
    if (payload === replayPayload) startReplaying();
    else if (payload === checkPayload) checks.look();
    else if (payload) deliverer.look(payload.split(' '));
    else deliverer.wake();
  });

  let replaying: Promise<void> | undefined;
  let poll: NodeJS.Timeout | undefined;
  let stopped = false;
  function startReplaying(): void {
    if (stopped) return;
    replaying ??= replayAll()
      .catch(onFault)
      .finally(() => {
        replaying = undefined;
      });
  }
  /** Replays and checks whose notifications were missed. */
  function lookForMissed(): void {
    startReplaying();
    checks.look();
  }
  async function replayAll(): Promise<void> {
    while (!stopped && (await options.replay(db))) deliverer.wake();
  }

  return {
    deliverer,
    async start() {
      deliverer.start();
      poll = setInterval(lookForMissed, lookEveryMs);
      await notifications.start();
    },
    async stop(patienceMs) {
      stopped = true;
      clearInterval(poll);
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        deliverer.abandon();
        close();
        patience.resolve();
      }, patienceMs);
      const others = Promise.all([notifications.stop(), replaying, checks.stop()]);
      await deliverer.stop();
      await Promise.race([others, patience.promise]);
      clearTimeout(timer);
      close();
      await db.close();
    },
  };
}

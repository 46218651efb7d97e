// Every number that the simulation assumes, each with its source. docs/scaling.md explains them.

/**
 * Recorded in docs/performance.md ("Last numbers", "Where the time goes", "The limit") on two cores, with
 * PostgreSQL, receiver and load.
 * Rates are the mean of two runs. CPU is milliseconds for one event or delivery.
 */
export const recorded = {
  cores: 2,
  spread: { eventsPerSecond: (1_503 + 1_733) / 2, serviceMs: 0.58, postgresMs: 0.26 },
  spreadWithNodeSigner: { eventsPerSecond: 833 },
  fanout: { deliveriesPerSecond: (2_978 + 2_765) / 2, serviceMs: 0.39, postgresMs: 0.12 },
  fanoutWithNodeSigner: { deliveriesPerSecond: 1_273 },
  /** "Where the time goes", `fanout`: the driver, and half of lanes, signing and results. */
  recordShare: 0.16 + 0.12 / 2,
  idle: { firstByteMs: 5.85, serviceMs: 5.4, postgresMs: 2.8 },
  /** "An event under load is written with about thirty others". */
  groupSize: 30,
  nativeSignatureMs: 0.12,
  nodeSignatureMs: 1.1,
  /** "about 0.25 ms of its CPU for an event", where others send. */
  publishMs: 0.25,
  /**
   * "0.25 to 0.3 ms of CPU for an event with one delivery": the upper end, where worker processes read what
   * they send.
   */
  postgresWithWorkersMs: 0.3,
  postAgreement: { serviceMs: 1.4, postgresMs: 1.3 },
} as const;

/**
 * Measured by `npm run bench -- event_bytes` on a busy machine of two cores: milliseconds of CPU for one
 * event.
 */
const yardsticks = { receiverMs: 0.065, loadMs: 0.037 } as const;

/** What is not measured. A run can change some of them by options. */
export const chosen = {
  /** A commit alone takes 0.54 ms on the measured machine, most of it the fsync. */
  fsyncMs: 0.5,
  /** One way between two hosts of one data centre. */
  networkMs: 0.1,
  /** From the first byte of a webhook to its answer, over a network. */
  receiverAnswerMs: 20,
  /**
   * The share of its time that a busy core spends on CPU time that `npm run bench` counts. The recorded rates
   * use 0.76 (`spread`) and
   * 0.83 (`fanout`) of two cores; a part of the rest is waiting, which the simulation has too. Fits both
   * rates.
   */
  countedShare: 0.9,
  /**
   * The share of the fixed costs of an idle event that publishing has; recording its result has the rest.
   * Fits `idle`.
   */
  publishShare: 0.55,
  /** A producer repeats a refused request after this time. */
  retryMs: 1_000,
  /**
   * Changes that move one partner without its history: its row, agreements, endpoints and what is pending.
   * Concord cannot move partners today.
   */
  changesPerMove: 10,
} as const;

/**
 * Bounds in the code of Concord: webhooks/publishing/publisher.ts, webhooks/delivering/recorder.ts
 * and deliverer.ts, settings.ts.
 */
export const bounds = {
  eventsInGroup: 64,
  resultsInBatch: 500,
  resultsGatherMs: 4,
  patienceMs: 5_000,
  /**
   * CONCORD_WEBHOOK_CONCURRENCY: requests of a process at the same time. Twice as many may be without a
   * recorded result.
   */
  concurrency: 512,
  maxConcurrencyOfEndpoint: 64,
} as const;

/** CPU of one batch, whatever its size, and of each of its items. */
export type Cost = { fixedMs: number; eachMs: number };
export type Costs = {
  publish: { service: Cost; postgres: Cost };
  /**
   * A worker process claims lanes and reads what is due. A process that published the event itself does not.
   */
  fetch: { service: Cost; postgres: Cost };
  send: { serviceMs: number; signatureMs: number };
  record: { service: Cost; postgres: Cost };
  receiverMs: number;
  loadMs: number;
};

/**
 * Splits the recorded CPU into costs of batches and costs of events: an idle event pays for its batches
 * alone.
 */
export function costsWith({ signatureMs, publishMs }: { signatureMs: number; publishMs?: number }): Costs {
  const { spread, fanout, idle, groupSize, postgresWithWorkersMs, nativeSignatureMs } = recorded;
  const fixedOf = (part: 'serviceMs' | 'postgresMs') =>
    ((idle[part] - spread[part]) * groupSize) / (groupSize - 1);
  const publishFixed = (part: 'serviceMs' | 'postgresMs') => fixedOf(part) * chosen.publishShare;
  const recordFixed = (part: 'serviceMs' | 'postgresMs') => fixedOf(part) - publishFixed(part);
  const split = (fixedMs: number, underLoadMs: number): Cost => ({
    fixedMs,
    eachMs: Math.max(0, underLoadMs - fixedMs / groupSize),
  });
  // `fanout` records in batches so large that their fixed costs do not show in its numbers. `spread` does
  // both: what is left is publishing.
  const publish = (part: 'serviceMs' | 'postgresMs') =>
    spread[part] - fanout[part] - recordFixed(part) / groupSize;
  const deliverMs = fanout.serviceMs - nativeSignatureMs;
  const recordMs = deliverMs * recorded.recordShare;
  const fetchMs = postgresWithWorkersMs - spread.postgresMs;
  return {
    publish: {
      service: split(publishFixed('serviceMs'), publishMs ?? publish('serviceMs')),
      postgres: split(publishFixed('postgresMs'), publish('postgresMs')),
    },
    // A claim is taken to cost what recording costs, as far as the recorded sum has room for it.
    fetch: {
      service: { fixedMs: recordFixed('serviceMs') / 2, eachMs: 0 },
      postgres: split(fetchMs * groupSize, fetchMs),
    },
    send: { serviceMs: deliverMs - recordMs, signatureMs },
    record: {
      service: { fixedMs: recordFixed('serviceMs'), eachMs: recordMs },
      postgres: { fixedMs: recordFixed('postgresMs'), eachMs: fanout.postgresMs },
    },
    receiverMs: yardsticks.receiverMs,
    loadMs: yardsticks.loadMs,
  };
}

/**
 * How long a partner's requests are refused while it moves, and the CPU of PostgreSQL that the move takes on
 * each of the two shards.
 */
export const move = {
  postgresMs: chosen.changesPerMove * recorded.postAgreement.postgresMs,
  totalMs:
    chosen.changesPerMove *
    (recorded.postAgreement.serviceMs + recorded.postAgreement.postgresMs + chosen.fsyncMs),
} as const;

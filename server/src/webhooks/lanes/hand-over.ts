// How a publisher hands its deliveries to the deliverer of its own process, which then need not read back
// what was just committed.
import type { Transaction } from '../../base/postgres/database.ts';
import type { Environment } from '../environments.ts';
import { wakeLanes } from './store.ts';

/** What an attempt needs of its endpoint. */
export type Terms = Readonly<{
  url: string;
  sealed_headers: Buffer | null;
  sealed_signing_secret: Buffer | null;
  sealed_authentication: Buffer | null;
  sealed_client_certificate: Buffer | null;
  /** Its requests go to a command that listens, not to the URL. */
  listener: boolean;
  ordering: 'none' | 'strict';
  max_concurrency: number;
  rate_limit_per_second: number | null;
  /** Null: as the platform does. */
  retry_schedule: readonly number[] | null;
  timeout_seconds: number | null;
  disable_after_hours: number | null;
  /** `thin`: its requests have events without their data. */
  payload: 'full' | 'thin';
  /** Several deliveries in a request (behaviour W70). Null: each is sent alone. */
  batch: Readonly<{ max_events: number; max_wait_seconds: number }> | null;
}>;

/** Where a delivery goes. Ids are bare UUIDs. */
export type Target = Terms &
  Readonly<{
    id: string;
    /** Changes with every change of the endpoint. */
    version: string;
    /** `unchecked`: it is active, but its deliveries wait for a check. */
    status: 'active' | 'paused' | 'disabled' | 'unchecked';
  }>;

/** A delivery that is being published, with what its first attempt needs. */
export type Due = Readonly<{
  id: string;
  event: Readonly<{
    id: string;
    environment: Environment;
    body: string;
    traceparent: string | null;
  }>;
  endpoint: Target;
}>;

/** The time of the database, and when it was read on the clock of `performance.now()`. */
export type Clock = Readonly<{ now: Date; readAt: number }>;

/** `due` can be empty: the deliverer then finds what was written in the database. */
export type Written = Readonly<{
  endpointIds: readonly string[];
  due: readonly Due[];
  clock: Clock;
}>;

/** Wakes the lanes of what the transaction has written. Call it last, with the lanes held. */
export type Wake = (tx: Transaction, written: Written) => Promise<void>;

export type HandOver = {
  /**
   * Runs a transaction that publishes. Its `wake` also claims sleeping lanes for the deliverer, which sends
   * after the commit what they have capacity for. A deliverer that stops waits for the transaction.
   */
  publishing<T>(transaction: (wake: Wake) => Promise<T>): Promise<T>;
};

/** For a process that sends no webhooks. */
export const noHandOver: HandOver = {
  publishing: (transaction) =>
    transaction(async (tx, { endpointIds }) => void (await wakeLanes(tx, endpointIds))),
};

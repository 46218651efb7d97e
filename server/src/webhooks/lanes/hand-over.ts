// What a publisher gives to the deliverer of its own process, so that the deliverer need not read back what
// was just committed.
import type { Queryable } from '../../base/postgres/database.ts';
import type { Environment, Signer } from '../signing-keys/index.ts';
import type { Claim, Taken } from './store.ts';

/** What an attempt needs of its endpoint. Ids are bare UUIDs. */
export type Target = {
  readonly id: string;
  /** Changes with every change of the endpoint. */
  readonly version: string;
  readonly url: string;
  readonly sealed_headers: Buffer | null;
  readonly ordering: 'none' | 'strict';
  readonly max_concurrency: number;
  readonly rate_limit_per_second: number | null;
  readonly status: 'active' | 'paused' | 'disabled';
};

/** A delivery that is being published, with what its first attempt needs. */
export type Due = {
  readonly id: string;
  readonly event: {
    readonly id: string;
    readonly environment: Environment;
    readonly body: string;
    readonly traceparent: string | null;
  };
  readonly endpoint: Target;
};

type Signers = Record<Environment, Signer>;
/** The time of the database, and when it was read on the clock of `performance.now()`. */
export type Clock = { readonly now: Date; readonly readAt: number };
/** What the last statements of the transaction saw: its lanes, and who signs. Null: no key can sign. */
export type Seen = { readonly taken: Taken; readonly signers: Signers | null; readonly clock: Clock };

export type Offer = {
  /** The sleeping lanes that the deliverer wants. */
  readonly claim: Claim;
  readonly signers: (on: Queryable) => Promise<Signers>;
  /**
   * Call it after the commit. The deliverer sends what its lanes have room for, and finds the rest in the
   * database.
   */
  take(seen: Seen): void;
};

/** What the deliverer would take of these deliveries. Null: it has no room, or it stops. */
export type MakeOffer = (due: readonly Due[]) => Offer | null;

export type HandOver = {
  /**
   * Runs a transaction. A deliverer that stops waits for it. If it fails, lanes that it has claimed
   * nevertheless become due.
   */
  publishing<T>(transaction: (makeOffer: MakeOffer) => Promise<T>): Promise<T>;
};

/** Of a process that sends no webhooks. */
export const noHandOver: HandOver = { publishing: (transaction) => transaction(() => null) };

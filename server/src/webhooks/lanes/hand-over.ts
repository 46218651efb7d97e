// What a publisher gives to the deliverer of its own process, so that the deliverer need not read back what was just committed.
import type { Claim, Taken } from './store.ts';

/** A delivery that is being published, with what its first attempt needs. Ids are bare UUIDs. */
export type Due = {
  readonly id: string;
  readonly event: { readonly id: string; readonly environment: 'live' | 'sandbox'; readonly body: string };
  readonly endpoint: {
    readonly id: string;
    readonly url: string;
    readonly sealed_headers: Buffer | null;
    readonly ordering: 'none' | 'strict';
    readonly max_concurrency: number;
    readonly rate_limit_per_second: number | null;
    readonly status: 'active' | 'paused' | 'disabled';
  };
};

export type Offer = {
  /** The sleeping lanes that the deliverer wants. */
  readonly claim: Claim;
  /** Call it after the commit. The deliverer sends what its lanes have room for, and finds the rest in the database. */
  take(taken: Taken, now: Date): void;
};

/** What a deliverer would take. Null: it has no room. */
export type TakeOffers = (due: readonly Due[]) => Offer | null;

export type HandOver = {
  /** Call it while the first statements are under way: it reads the keys. Null: the deliverer stops, or has no keys. */
  prepare(): Promise<TakeOffers | null>;
};

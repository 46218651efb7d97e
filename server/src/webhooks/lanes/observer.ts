// What webhooks tell about themselves while they work. An observer must not throw.
import type { Environment } from '../environments.ts';

export type WebhookObserver = {
  /** A transaction has committed new events with their deliveries. */
  published(environment: Environment, events: number, deliveries: number): void;
  /**
   * An attempt is recorded. `outcome`: `delivered`, or the reason of the failure. `status` is that of the
   * delivery now. `waitMs` is the time from publishing to a first attempt, null for later ones.
   */
  attempted(attempt: {
    environment: Environment;
    outcome: string;
    durationMs: number;
    waitMs: number | null;
    status: 'delivered' | 'pending' | 'failed';
  }): void;
  /** Leases ended while this process still had the lanes, and other processes claimed these. */
  leasesLost(count: number): void;
};

// A pool whose connections wait for the turn of the request that asks.
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Turns } from './turns.ts';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

export class TurnPool extends Pool {
  readonly #turns: Turns;

  constructor(config: PoolConfig, turns: Turns) {
    super(config);
    this.#turns = turns;
  }

  /** `query` of a pool comes through here, too. */
  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | undefined {
    if (connected === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    }
    const taken = this.#turns.take();
    if (typeof taken === 'function') this.#connectIn(taken, connected);
    else
      taken.then(
        (endTurn) => this.#connectIn(endTurn, connected),
        (error: Error) => connected(error, undefined, () => {}),
      );
    return undefined;
  }

  #connectIn(endTurn: () => void, connected: Connected): void {
    super.connect((error, client, release) => {
      if (client === undefined) {
        endTurn();
        return connected(error, undefined, release);
      }
      const { release: giveBack } = client;
      client.release = (failure) => {
        giveBack(failure);
        endTurn();
      };
      connected(undefined, client, client.release);
    });
  }
}

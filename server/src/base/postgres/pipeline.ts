// Pipelined connections: short statements are sent without waiting for earlier answers.

import { Client, type ClientConfig } from 'pg';
import { hasCode } from '../errors.ts';
import { lookUpSettings } from './look-ups.ts';
import { endClient, readOnly, setSession } from './session.ts';

/** Measured: 1.65 times the requests of the pool (decision 9). */
const connections = 2;

/** While a database takes no changes, each attempted change asks for new connections. */
const renewAtMostEveryMs = 1_000;

type Options = { config: ClientConfig; onConnectionLost: (error: Error) => void };

export type Pipeline = ReturnType<typeof createPipeline>;

export function createPipeline({ config, onConnectionLost }: Options) {
  const clients: (Promise<Client> | undefined)[] = Array(connections).fill(undefined);
  let next = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function connectAndSet(client: Client): Promise<void> {
    await client.connect();
    await client.query(setSession(lookUpSettings)).catch((error: unknown) => {
      void client.end().catch(() => {});
      throw error;
    });
  }

  function connect(index: number): Promise<Client> {
    const client = new Client(config);
    const forget = () => {
      if (clients[index] === connected) clients[index] = undefined;
    };
    client.on('error', (error) => {
      forget();
      onConnectionLost(error);
    });
    client.on('end', forget);
    const connected = connectAndSet(client).then(
      () => client,
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    clients[index] = connected;
    return connected;
  }

  /** Ends a connection when it has answered: answers come in order. */
  async function retire(connected: Promise<Client> | undefined): Promise<void> {
    if (connected === undefined || !clients.includes(connected)) return;
    clients[clients.indexOf(connected)] = undefined;
    const client = await connected;
    await client.query('select 1').catch(() => {});
    await endClient(client);
  }

  return {
    async run<T>(work: (client: Client) => Promise<T>): Promise<T> {
      next = (next + 1) % connections;
      const connected = clients[next] ?? connect(next);
      const client = await connected;
      return work(client).catch((error: unknown) => {
        if (hasCode(error, readOnly)) retire(connected).catch(() => {});
        throw error;
      });
    },
    /** From now on, statements go to new connections. The old ones end when they have answered. */
    renew(): void {
      if (performance.now() - renewedAt < renewAtMostEveryMs) return;
      renewedAt = performance.now();
      for (const connected of [...clients]) retire(connected).catch(() => {});
    },
    async close(): Promise<void> {
      await Promise.all(clients.map((client) => client?.then(endClient).catch(() => {})));
    },
  };
}

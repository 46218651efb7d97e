// Pipelined connections for the short statements that every request makes. Statements are sent without waiting for earlier answers.
import { Client, type ClientConfig } from 'pg';
import { setLookUps } from './look-ups.ts';

/** Measured: 1.65 times the requests of the pool (decision 9). */
const connections = 2;

type Options = { config: ClientConfig; onConnectionLost: (error: Error) => void };

export type Pipeline = {
  /** A connection, opened if there is none. A slow statement delays those behind it. */
  client(): Promise<Client>;
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>;
};

export function createPipeline({ config, onConnectionLost }: Options): Pipeline {
  const clients: (Promise<Client> | undefined)[] = Array(connections).fill(undefined);
  let next = 0;

  async function connectAndSet(client: Client): Promise<void> {
    await client.connect();
    await client.query(setLookUps).catch((error: unknown) => {
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

  return {
    client() {
      next = (next + 1) % connections;
      return clients[next] ?? connect(next);
    },
    async close() {
      await Promise.all(clients.map((client) => client?.then((connected) => connected.end()).catch(() => {})));
    },
  };
}

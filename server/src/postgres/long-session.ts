// One connection for a long piece of work, such as a copy.
import { Client, type PoolConfig } from 'pg';

/** Closes the connection at the end, which rolls back what was not committed. */
export async function openSession<T>(connection: PoolConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ application_name: 'concord copy', connectionTimeoutMillis: 10_000, ...connection });
  /** A connection can break while it waits for other work. Without a listener that would end the process. */
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  await client.connect();
  try {
    return await work(client);
  } catch (error) {
    throw lost ?? error;
  } finally {
    await client.end();
  }
}

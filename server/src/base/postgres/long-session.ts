// One connection for a long piece of work, such as a copy.
import { Client, type PoolConfig } from 'pg';
import { endClient, keepAlive, longSessionSettings } from './session.ts';

export const longSessionName = 'concord copy';

type Settings = Readonly<Record<string, string>>;

/** The end rolls back what was not committed. Poolers would refuse `settings` at the start. */
export async function openSession<T>(
  connection: PoolConfig,
  work: (client: Client) => Promise<T>,
  settings: Settings = {},
): Promise<T> {
  const client = new Client({
    application_name: longSessionName,
    connectionTimeoutMillis: 10_000,
    ...keepAlive,
    ...connection,
  });
  /** Without a listener, a broken connection would end the process. */
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  try {
    await client.connect();
    await setAll(client, { ...longSessionSettings, ...settings });
    return await work(client);
  } catch (error) {
    throw lost ?? error;
  } finally {
    await endClient(client);
  }
}

/** A server that is too old lacks some: the caller refuses it later. */
async function setAll(client: Client, settings: Settings): Promise<void> {
  await client.query(
    `select set_config(name, value, false) from unnest($1::text[], $2::text[]) as wanted (name, value) join pg_settings using (name)`,
    [Object.keys(settings), Object.values(settings)],
  );
}

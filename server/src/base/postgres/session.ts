// What every connection sets, and when a connection must be given up.
import { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** A server whose client has lost its network would otherwise wait two hours before it ends the connection. */
const probes = {
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
} as const;
/** The role, the database or the server can have others. Tables of another schema would be in no backup. */
const reliedOn = {
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  DateStyle: 'ISO',
  TimeZone: 'UTC',
} as const;
/** Set by statements: poolers refuse parameters of the start. */
const sessionSettings = {
  ...reliedOn,
  statement_timeout: '10s',
  // Shorter than the lease of a lane: the locks of a host that is gone must not outlast its leases.
  idle_in_transaction_session_timeout: '15s',
  ...probes,
  tcp_user_timeout: '25s',
  // A statement ends when its connection is gone: its process has ended, or its caller has left.
  client_connection_check_interval: '1s',
  // Statements are short, and compiling one of many partitions takes longer than running it.
  jit: 'off',
} as const;

/** For long work, such as a backup. A tcp_user_timeout would end it while its client writes to a slow disk. */
export const longSessionSettings: Readonly<Record<string, string>> = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  ...reliedOn,
  ...probes,
};

export const setSession = (more: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...sessionSettings, ...more })
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');

/** Notices within 20 seconds that the server is gone: Node probes each second, ten times. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The server takes no changes. After a failover only a new connection reaches the other server. */
export const readOnly = '25006';

/** A warning: somebody cancelled the wait for a standby. The server calls that commit a success. */
export const isUnreplicated = ({ routine }: { routine?: string | undefined }): boolean =>
  routine === 'SyncRepWaitForLSN';

/** pg sends each statement by itself. This socket sends those of one turn of the event loop together. */
export function createSocket(): Socket {
  const socket = new Socket();
  const uncork = socket.uncork.bind(socket);
  socket.uncork = () => process.nextTick(uncork);
  return socket;
}

/** pg's types leave it out. `end` of a client waits for what it has sent. */
export const socketOf = (client: ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

const endMs = 1_000;

export async function endClient(client: ClientBase & { end(): Promise<void> }): Promise<void> {
  const timer = setTimeout(() => socketOf(client).destroy(), endMs);
  await client.end().finally(() => clearTimeout(timer));
}

// What every connection sets, and when a connection must be given up.

/**
 * Statements set them after the connection is made. As parameters of the start they would be refused by
 * poolers. A server whose client has lost its power or its network would otherwise wait two hours before it
 * ends the connection.
 */
const probes = {
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
} as const;
const sessionSettings = {
  statement_timeout: '10s',
  // Shorter than the lease of a lane: the locks of a host that is gone must not outlast its leases.
  idle_in_transaction_session_timeout: '15s',
  ...probes,
  tcp_user_timeout: '25s',
} as const;

/**
 * Of long work, such as a backup: no limit, also where the role or the database has one. No tcp_user_timeout,
 * which would end a session whose client writes to a slow disk.
 */
export const longSessionSettings: Readonly<Record<string, string>> = {
  statement_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '0',
  ...probes,
};

/** `more`: settings of this pool. */
export const setSession = (more: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...sessionSettings, ...more })
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');

/**
 * This process notices within 20 seconds that the server of an idle connection is gone: Node probes each
 * second, ten times.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * SQLSTATE 25006: the server takes no changes. After a failover only a new connection reaches the other
 * server at this address.
 */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25006';

/**
 * A warning of the commit that somebody has cancelled its wait for a synchronous standby. The server calls
 * that a success.
 */
export const isUnreplicated = ({ routine }: { routine?: string | undefined }): boolean =>
  routine === 'SyncRepWaitForLSN';

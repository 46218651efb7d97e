// Connects to the database: the server of DATABASE_URL, or the embedded server in the data directory.
import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import type { PoolConfig } from 'pg';
import { findRunningServer, startEmbeddedServer } from './embedded/embedded-server.ts';

type Options = {
  databaseUrl: string | null;
  dataDir: string;
  progress: (line: string) => void;
  /** Default: `progress`. */
  onCrash?: (message: string) => void;
  /** Use the server of a running Concord. For commands only. */
  share?: boolean;
};

export type Connection = PoolConfig;
type Connected = { connection: Connection; stop: () => Promise<void> };

export async function connectDatabase({
  databaseUrl,
  dataDir,
  share,
  ...options
}: Options): Promise<Connected> {
  prepareDataDir(dataDir);
  const stop = async () => {};
  if (databaseUrl !== null) return { connection: { connectionString: databaseUrl }, stop };
  const findShared = () => {
    const connection = share ? findRunningServer(dataDir) : undefined;
    return connection && { connection, stop };
  };
  return (
    findShared() ??
    startEmbeddedServer({ dataDir, ...options }).catch((error: unknown) => {
      // A Concord that started at the same time was first.
      const shared = findShared();
      if (shared) return shared;
      throw error;
    })
  );
}

export const toUrl = ({ user, host, database }: PoolConfig): string =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`;

export function prepareDataDir(dataDir: string): void {
  try {
    // 0711: under root, the account of the database must pass through. The umask restricts mkdir.
    if (mkdirSync(dataDir, { recursive: true }) !== undefined) chmodSync(dataDir, 0o711);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `The data directory ${dataDir} cannot be used (${code}). Make it writable or set CONCORD_DATA_DIR to another folder.`,
      { cause },
    );
  }
}

// A database that takes its place in the data directory when it is complete.
import { lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './backup/file.ts';
import type { Connection } from './connection.ts';
import { locateBinaries } from './embedded/binaries.ts';
import { moveCluster, removeDataDir, syncCluster, waitForPredecessor } from './embedded/cluster.ts';
import { findRunningServer, startEmbeddedServer } from './embedded/embedded-server.ts';

type Options = {
  dataDir: string;
  progress: (line: string) => void;
  fill: (connection: Connection) => Promise<void>;
  /** Before it takes its place. */
  ready: () => void;
};

/** @throws Error that says what to do when the data directory has a database */
export function refuseDatabase(dataDir: string): void {
  if (!lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false })) return;
  throw new Error(
    findRunningServer(dataDir)
      ? `Concord is running on ${dataDir}. Stop it, and move ${join(dataDir, 'postgres')} away. Or set CONCORD_DATA_DIR to a new folder.`
      : `${dataDir} is not empty: it has a database. Move ${join(dataDir, 'postgres')} away, or set CONCORD_DATA_DIR to a new folder.`,
  );
}

export async function makeDatabase({ dataDir, progress, fill, ready }: Options): Promise<void> {
  refuseDatabase(dataDir);
  const draft = join(dataDir, 'restore.partial');
  await removeDraft(draft, progress);
  await mkdir(draft, { mode: 0o711 });
  try {
    const { connection, stop } = await startEmbeddedServer({ dataDir: draft, settings: quick, progress });
    try {
      await fill(connection);
    } finally {
      await stop();
    }
    progress('Writing the database to the disk…');
    syncCluster(draft, locateBinaries(draft));
    ready();
    moveCluster(draft, dataDir);
    await syncFolder(dataDir);
  } finally {
    await removeDataDir(draft);
  }
}

/** Until it is complete, nobody needs the database after a crash. */
const quick = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
};

/** What a killed restore has left. Its server ends by itself. */
async function removeDraft(draft: string, progress: (line: string) => void): Promise<void> {
  const cluster = join(draft, 'postgres');
  if (lstatSync(cluster, { throwIfNoEntry: false }))
    await waitForPredecessor(cluster, locateBinaries(draft), progress);
  await removeDataDir(draft);
}

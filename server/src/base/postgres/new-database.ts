// A database that takes its place in the data directory when it is complete.
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../errors.ts';
import { syncFolder } from '../sync-folder.ts';
import type { Connection } from './connection.ts';
import { locateBinaries } from './embedded/binaries.ts';
import { moveCluster, removeDataDir, syncCluster, waitForPredecessor } from './embedded/cluster.ts';
import { findRunningServer, startEmbeddedServer } from './embedded/embedded-server.ts';

type Options = {
  dataDir: string;
  progress: (line: string) => void;
  /** Before anything is written. What killed restores have left is gone. */
  prepare: () => Promise<void>;
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

export async function makeDatabase({ dataDir, progress, prepare, fill, ready }: Options): Promise<void> {
  await removeDrafts(dataDir, progress);
  // One of them can have ended with its database in place.
  refuseDatabase(dataDir);
  await prepare();
  // The end of this restore must not remove the draft of another one.
  const draft = await mkdtemp(join(dataDir, draftName));
  const cluster = join(draft, 'postgres');
  try {
    // Under root, the account of the database must pass through.
    await chmod(draft, 0o711);
    const { connection, stop } = await startEmbeddedServer({ dataDir: draft, settings: quick, progress });
    try {
      await fill(connection);
    } finally {
      await stop();
    }
    // A server that hangs is left alone by `stop`, and can still write.
    await waitForPredecessor(cluster, locateBinaries(draft), progress);
    progress('Writing the database to the disk…');
    syncCluster(draft, locateBinaries(draft));
    ready();
    moveCluster(draft, dataDir);
    syncFolder(dataDir);
  } catch (error) {
    if (existsSync(draft)) throw error;
    throw new Error(`Another restore has begun in ${dataDir}, and removed the draft of this one.`, {
      cause: error,
    });
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

const draftName = 'restore.partial-';

/** What killed restores have left. Their servers end by themselves. */
async function removeDrafts(dataDir: string, progress: (line: string) => void): Promise<void> {
  // Earlier versions left it without the line.
  const names = (await readdir(dataDir)).filter((each) => each.startsWith('restore.partial'));
  for (const draft of names.map((each) => join(dataDir, each))) {
    const cluster = join(draft, 'postgres');
    if (lstatSync(cluster, { throwIfNoEntry: false }))
      await waitForPredecessor(cluster, locateBinaries(draft), progress);
    // A restore that is at work fails then, and cannot move half of a database to its place.
    const taken = join(dataDir, `${draftName}${randomUUID()}`);
    try {
      await rename(draft, taken);
    } catch (error) {
      // Its restore has ended meanwhile.
      if (hasCode(error, 'ENOENT')) continue;
      throw error;
    }
    await removeDataDir(taken);
  }
}

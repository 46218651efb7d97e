// The doctor on this machine: disk, memory, open files, and the version of Node.
import { accessSync, constants, existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Config, hasWorkers } from '../../config.ts';
import { error, type Finding, mebibyte, note, ok, orOk, sizeOf, warning } from './finding.ts';

type DiskFacts = {
  path: string;
  totalBytes: number;
  freeBytes: number;
  totalFiles: number;
  freeFiles: number;
};

export function judgeDisk({ path, totalBytes, freeBytes, totalFiles, freeFiles }: DiskFacts): Finding {
  const share = Math.min(freeBytes / totalBytes, totalFiles === 0 ? 1 : freeFiles / totalFiles);
  const percent = Math.floor(share * 1_000) / 10;
  const what =
    totalFiles > 0 && freeFiles / totalFiles < freeBytes / totalBytes
      ? 'of the files'
      : `(${sizeOf(freeBytes)})`;
  const text = `The disk of ${path} has ${percent} % free ${what}.`;
  const action = 'Free space or enlarge the disk. A full disk stops sign-ins, publishing and the database.';
  if (share < 0.03) return error(text, action);
  return share < 0.1 ? warning(text, action) : ok(text);
}

export function checkDisk({ CONCORD_DATA_DIR: dataDir, DATABASE_URL: url }: Config): readonly Finding[] {
  if (!existsSync(dataDir)) {
    const start = 'Start Concord, or set CONCORD_DATA_DIR to the folder of your installation.';
    return [(url === null ? warning : note)(`The data directory ${dataDir} does not exist.`, start)];
  }
  const findings: Finding[] = [];
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    findings.push(
      error(
        `The data directory ${dataDir} cannot be read or written by this user.`,
        'Run doctor as the user of Concord, or repair the owner and the mode.',
      ),
    );
  }
  const cluster = join(dataDir, 'postgres');
  const paths = new Set([realpathSync(dataDir)]);
  // docs/operating/install.md, Files.
  if (url === null && existsSync(cluster)) paths.add(realpathSync(cluster));
  const disks = [...paths].map((path) => {
    const { bsize, blocks, bavail, files, ffree } = statfsSync(path);
    return {
      path,
      totalBytes: bsize * blocks,
      freeBytes: bsize * bavail,
      totalFiles: files,
      freeFiles: ffree,
    };
  });
  const seen = (disk: DiskFacts) =>
    disks.find((other) => other.totalBytes === disk.totalBytes && other.totalFiles === disk.totalFiles);
  return [...findings, ...disks.filter((disk) => seen(disk) === disk).map(judgeDisk)];
}

/** What a process takes while it sends events of 200 kB and answers lists. With 256 MiB it is killed. */
const processMebibytes = 400;
const workerMebibytes = 120;

type MemoryFacts = { totalBytes: number; workers: number; embedded: boolean };

export function judgeMemory({ totalBytes, workers, embedded }: MemoryFacts): Finding {
  const needed = (processMebibytes + workers * workerMebibytes + (embedded ? 200 : 0)) * mebibyte;
  const text = `This machine or container has ${sizeOf(totalBytes)} of memory; Concord ${embedded ? 'and its database need' : 'needs'} about ${sizeOf(needed)}.`;
  return totalBytes < needed ? warning(text, 'Give it more memory, or set CONCORD_WORKERS lower.') : ok(text);
}

type NodeFacts = { version: string; openFiles: number | null };

/** Every client and every request to a receiver is an open file. */
const wantedFiles = 16_384;
const pinnedMajor = 26;

export function judgeNode({ version, openFiles }: NodeFacts): readonly Finding[] {
  const findings = [
    Number(version.split('.')[0]) !== pinnedMajor &&
      warning(
        `Node is ${version}; Concord is tested with Node ${pinnedMajor}.`,
        'Start Concord by npm start, which uses the Node that npm ci installed.',
      ),
    openFiles !== null &&
      openFiles < wantedFiles &&
      warning(
        `A process of this user may open ${openFiles} files. Concord takes up to 10,000 connections, and each is one.`,
        `Raise the hard limit to ${wantedFiles}: ulimit -Hn, or LimitNOFILE of systemd.`,
      ),
  ];
  return orOk(
    findings,
    `Node is ${version}${openFiles === null ? '' : `, and a process may open ${openFiles} files`}.`,
  );
}

export function checkMachine(config: Config): readonly Finding[] {
  const limited = process.constrainedMemory();
  const totalBytes = limited > 0 ? Math.min(limited, totalmem()) : totalmem();
  const workers = hasWorkers(config) ? config.CONCORD_WORKERS : 0;
  return [
    ...judgeNode({ version: process.versions.node, openFiles: readOpenFiles() }),
    judgeMemory({ totalBytes, workers, embedded: config.DATABASE_URL === null }),
    note(`It has ${availableParallelism()} cores.`),
  ];
}

function readOpenFiles(): number | null {
  if (!existsSync('/proc/self/limits')) return null;
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return hard === undefined ? null : hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
}

// The file of a backup: a line with the format, one zstd frame, and a mark with its length.
import { createReadStream, constants as flags, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { hasCode } from '../../errors.ts';
import { syncFolder } from '../../sync-folder.ts';

const format = 1;
const firstLine = Buffer.from(`concord backup ${format}\n`);
const endMark = Buffer.from('concord end\n');
const endBytes = 8 + endMark.length;

export const refuseExisting = async (path: string): Promise<void> => {
  const found = await lstat(path).catch(() => undefined);
  if (found) throw new Error(`${path} exists. A backup is never overwritten: choose another name.`);
};

/** The file has its name only when it is complete and on the disk. Returns its size. */
export async function writeBackupFile(path: string, content: AsyncIterable<Buffer>): Promise<number> {
  const partial = `${path}.partial`;
  await refuseExisting(path);
  const file = await openNew(path, partial);
  const forget = removeOnSignal(partial);
  try {
    try {
      await writeFrame(file, content);
      await file.sync();
      if ((await file.stat()).nlink === 0)
        throw new Error(`Another backup has begun to write ${path}. Choose another name.`);
    } finally {
      await file.close();
    }
    await refuseExisting(path);
    await rename(partial, path);
    syncFolder(dirname(path));
    return (await stat(path)).size;
  } catch (error) {
    await rm(partial, { force: true });
    throw explainWrite(error, path);
  } finally {
    forget();
  }
}

/** A stop must leave no file of gigabytes. Nothing is awaited: statements can wait for long. */
function removeOnSignal(partial: string): () => void {
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  const forget = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  function stop(signal: NodeJS.Signals) {
    rmSync(partial, { force: true });
    // Later: systemd soon repeats the signal, which then ends the process.
    forget();
    process.kill(process.pid, signal);
  }
  for (const signal of signals) process.on(signal, stop);
  return forget;
}

async function removePartial(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  if (!found) return;
  if (!(found.isFile() && (await beginsAsBackup(path))))
    throw new Error(
      `${path} was not left by a backup, and would be overwritten. Move it, or choose another name.`,
    );
  await rm(path);
}

/** Links and other kinds of files are not followed. */
async function beginsAsBackup(path: string): Promise<boolean> {
  const file = await open(path, flags.O_RDONLY | flags.O_NOFOLLOW | flags.O_NONBLOCK);
  const first = await readAt(file, 0, firstLine.length).finally(() => file.close());
  return first.equals(firstLine.subarray(0, first.length)) && !(await isComplete(path));
}

const isComplete = (path: string) =>
  checkEnds(path).then(
    () => true,
    () => false,
  );

async function openNew(path: string, partial: string): Promise<FileHandle> {
  try {
    await removePartial(partial);
    return await open(partial, 'wx', 0o600);
  } catch (error) {
    throw explainWrite(error, path);
  }
}

async function writeFrame(file: FileHandle, content: AsyncIterable<Buffer>): Promise<void> {
  await file.writeFile(firstLine);
  let length = 0;
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 }, chunkSize: 256 * 1024 });
  const source = Readable.from(content, { objectMode: false });
  source.on('error', (error) => zstd.destroy(error));
  for await (const chunk of source.pipe(zstd) as AsyncIterable<Buffer>) {
    await file.writeFile(chunk);
    length += chunk.length;
  }
  const end = Buffer.alloc(8);
  end.writeBigUInt64BE(BigInt(length));
  await file.writeFile(Buffer.concat([end, endMark]));
}

function explainWrite(error: unknown, path: string): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT'))
    return new Error(
      `There is no space for ${path}. Nothing is left of this backup. Make space or choose another disk.`,
    );
  if (hasCode(error, 'ENOENT'))
    return new Error(`The folder ${dirname(path)} does not exist. Make it first.`);
  if (hasCode(error, 'EACCES', 'EROFS', 'EPERM'))
    return new Error(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code}). Choose a folder that this user can write to.`,
    );
  return error;
}

export async function* readBackupFile(path: string): AsyncGenerator<Buffer> {
  const length = await checkEnds(path);
  const zstd = createZstdDecompress({ chunkSize: 256 * 1024 });
  const source = createReadStream(path, {
    start: firstLine.length,
    end: firstLine.length + length - 1,
    highWaterMark: 256 * 1024,
  });
  source.on('error', (error) => zstd.destroy(error));
  try {
    yield* source.pipe(zstd) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw /^Z_|^ZSTD_/.test(code) ? damaged(path, (error as Error).message) : error;
  } finally {
    source.destroy();
    zstd.destroy();
  }
}

export const damaged = (path: string, why: string) =>
  new Error(`${path} has changed since it was written (${why}). Use another backup.`);

/** Returns the length of the frame. */
async function checkEnds(path: string): Promise<number> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${error.code}).`,
    );
  });
  try {
    const info = await file.stat();
    const first = await readAt(file, 0, firstLine.length).catch(() => Buffer.alloc(0));
    if (!info.isFile() || !first.equals(firstLine)) throw notABackup(path, first.toString('latin1'));
    const length = info.size - firstLine.length - endBytes;
    const end = length > 0 ? await readAt(file, info.size - endBytes, endBytes) : Buffer.alloc(endBytes);
    if (!end.subarray(8).equals(endMark) || end.readBigUInt64BE() !== BigInt(length))
      throw new Error(
        `${path} is truncated, or something was added to it: its end is missing. Use another backup.`,
      );
    return length;
  } finally {
    await file.close();
  }
}

function notABackup(path: string, first: string): Error {
  const newer = /^concord backup (\d+)/.exec(first)?.[1];
  return new Error(
    newer === undefined
      ? `${path} is not a backup of Concord.`
      : `${path} has the format ${newer}, which a newer Concord wrote. This one reads the format ${format}.`,
  );
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

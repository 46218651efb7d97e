// Where the databases of tests are.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
/** The whole suite takes less. */
const roomBytes = 4 * 2 ** 30;

/**
 * In memory, where it has room: a database is a thousand files, which take 20 ms there, and 10 times that on a
 * disk.
 */
export const databaseFolder: string = hasRoom() ? memory : tmpdir();

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomBytes;
  } catch {
    return false;
  }
}

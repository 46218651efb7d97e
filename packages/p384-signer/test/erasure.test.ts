// A key leaves the memory of its process with its signer. The memory is read from outside, as only Linux
// allows.
import { fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { moduleFile } from '../src/index.ts';

const isPossible = existsSync(moduleFile) && process.platform === 'linux';
if (!isPossible) process.stdout.write('Skipped: erasure.test.ts needs Linux and a native module\n');

it.runIf(isPossible)(
  'W34: a private key is nowhere in the memory when its native signer is collected',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'concord-key-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, privateKey.export({ format: 'der', type: 'pkcs8' }), { mode: 0o600 });
    const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
    // As files have it, and as libraries compute with it: the words of a number, the lowest first.
    const spellings = [secret, Buffer.from(secret).reverse()];

    const child = fork(new URL('./hold-key.ts', import.meta.url), [keyFile], { execArgv: ['--expose-gc'] });
    onTestFinished(() => void child.kill());
    await once(child, 'message');
    expect(isInMemory(child.pid!, spellings)).toBe(true);
    // Node frees what was collected in a later turn of its event loop.
    await expect
      .poll(async () => {
        child.send('drop');
        await once(child, 'message');
        return isInMemory(child.pid!, spellings);
      })
      .toBe(false);
  },
);

/** Whether the writable memory of a process has one of these bytes. */
function isInMemory(pid: number, spellings: readonly Buffer[]): boolean {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    const regions = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm);
    return [...regions].some(([, from, to]) => {
      const bytes = readRegion(memory, BigInt(`0x${from}`), BigInt(`0x${to}`));
      return spellings.some((spelling) => bytes.includes(spelling));
    });
  } finally {
    closeSync(memory);
  }
}

function readRegion(memory: number, from: bigint, to: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(Number(to - from));
  try {
    return bytes.subarray(0, readSync(memory, bytes, 0, bytes.length, from));
  } catch {
    // The process has returned the region meanwhile.
    return Buffer.alloc(0);
  }
}

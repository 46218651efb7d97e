// Loads the native module that signs with P-384: the one of the repository for this platform, or the one that
// `npm run build:signer` has built here.
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * Signs with ECDSA on P-384 and SHA-384. The signature is `r` followed by `s`, 48 bytes each (IEEE P1363),
 * not DER. The bytes of `data` must stay as they are until it resolves.
 */
export type Sign = (data: Uint8Array) => Promise<Buffer>;
/** Makes the signing function of a private key. @throws Error when the key is not on P-384 */
export type CreateSign = (privateKey: KeyObject) => Sign;

/** What rust/lib.rs exports. */
type NativeSigner = { signMany: (data: Uint8Array, ends: Uint32Array) => Promise<Buffer> };
type NativeModule = { P384Signer: new (pkcs8: Uint8Array) => NativeSigner };

/** Where `npm run build:signer` puts the module that it builds here. It is taken before the other. */
export const builtFile: string = join(import.meta.dirname, '../p384-signer.node');
/** The module of the repository for this platform. */
const prebuiltFile = join(import.meta.dirname, `../prebuilt/${process.platform}-${process.arch}.node`);
/** The file that this process would load. It may not exist. */
export const moduleFile: string = existsSync(builtFile) ? builtFile : prebuiltFile;

/**
 * Loads the module, and has it sign with a new key. Signatures are made in the thread pool of libuv, whose
 * size is `UV_THREADPOOL_SIZE`.
 *
 * @param file the module; `moduleFile` by default
 * @returns null when the file does not exist
 * @throws Error when the file does not load in this process, or when node:crypto does not verify its
 * signature; `cause` says why
 * @example
 * const createSign = await loadNativeSigner();
 * const sign = createSign?.(privateKey);
 */
export async function loadNativeSigner(file: string = moduleFile): Promise<CreateSign | null> {
  if (!existsSync(file)) return null;
  try {
    requireWhole(readFileSync(file));
    const { P384Signer }: NativeModule = createRequire(import.meta.url)(file);
    const createSign: CreateSign = (privateKey) => {
      const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
      try {
        return signInGroups(new P384Signer(pkcs8));
      } finally {
        pkcs8.fill(0);
      }
    };
    await prove(createSign);
    return createSign;
  } catch (cause) {
    throw new Error(`${file} does not work: build it here with \`npm run build:signer\``, { cause });
  }
}

const elf = 0x7f454c46;

/** Linux ends a process with SIGBUS, without a word, when it loads a part of a library. Its end has the sections. */
function requireWhole(bytes: Buffer): void {
  if (bytes.length < 64 || bytes.readUInt32BE() !== elf) return;
  const end = Number(bytes.readBigUInt64LE(40)) + bytes.readUInt16LE(58) * bytes.readUInt16LE(60);
  if (end > bytes.length) throw new Error(`the file is cut off: it has ${bytes.length} of ${end} bytes`);
}

const maxInTask = 16;
/** At the same time. More would only have the threads take turns on the cores. */
const maxTasks = availableParallelism();
const signatureBytes = 96;
type Waiting = PromiseWithResolvers<Buffer> & { data: Uint8Array };

/**
 * One task of the pool makes the signatures that a turn of the event loop asked for, 16 at most, since to wake
 * a thread costs as much as half a signature. More are shared out evenly, so that all cores work. What comes
 * while the tasks run waits, and is one group.
 */
function signInGroups(signer: NativeSigner): Sign {
  let waiting: Waiting[] = [];
  let running = 0;

  function startTasks(): void {
    const tasks = Math.min(Math.ceil(waiting.length / maxInTask), maxTasks - running);
    if (tasks <= 0) return;
    const size = Math.min(maxInTask, Math.ceil(waiting.length / tasks));
    for (let task = 0; task < tasks; task++) void run(waiting.slice(task * size, (task + 1) * size));
    waiting = waiting.slice(tasks * size);
  }

  async function run(group: readonly Waiting[]): Promise<void> {
    let end = 0;
    const ends = Uint32Array.from(group, ({ data }) => (end += data.length));
    running++;
    try {
      const signatures = await signer.signMany(Buffer.concat(group.map(({ data }) => data)), ends);
      for (const [index, { resolve }] of group.entries())
        resolve(signatures.subarray(index * signatureBytes, (index + 1) * signatureBytes));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    running--;
    startTasks();
  }

  return (data) => {
    if (waiting.length === 0) setImmediate(startTasks);
    const signing = { ...Promise.withResolvers<Buffer>(), data };
    waiting.push(signing);
    return signing.promise;
  };
}

/** A file of another version or another platform can load and still not do what this code expects. */
async function prove(createSign: CreateSign): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const sign = createSign(privateKey);
  const datas = ['one signature base', 'another'].map((text) => Buffer.from(text));
  const signatures = await Promise.all(datas.map(sign));
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!datas.every((data, index) => verify('sha384', data, key, signatures[index] ?? Buffer.of())))
    throw new Error('node:crypto does not verify its signatures');
}

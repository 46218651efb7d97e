// Loads the native module that signs with P-384, where `npm run build:signer` has built it.
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Signs with ECDSA on P-384 and SHA-384. The signature is `r` followed by `s`, 48 bytes each (IEEE P1363),
 * not DER.
 */
export type Sign = (data: Uint8Array) => Promise<Buffer>;
/** Makes the signing function of a private key. @throws Error when the key is not on P-384 */
export type CreateSign = (privateKey: KeyObject) => Sign;

/** What rust/lib.rs exports. */
type NativeModule = { P384Signer: new (pkcs8: Uint8Array) => { sign: Sign } };

/** Where `npm run build:signer` puts the module. Git ignores the file. */
export const builtFile: string = join(import.meta.dirname, '../p384-signer.node');

/**
 * Loads the module, and has it sign with a new key. Each signature is made in the thread pool of libuv, whose
 * size is
 * `UV_THREADPOOL_SIZE`.
 *
 * @param file the module; `builtFile` by default
 * @returns null when the file does not exist
 * @throws Error when the file does not load in this process, or when node:crypto does not verify its
 * signature; `cause` says why
 * @example
 * const createSign = await loadNativeSigner();
 * const sign = createSign?.(privateKey);
 */
export async function loadNativeSigner(file: string = builtFile): Promise<CreateSign | null> {
  if (!existsSync(file)) return null;
  try {
    const { P384Signer }: NativeModule = createRequire(import.meta.url)(file);
    const createSign: CreateSign = (privateKey) => {
      const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
      try {
        const signer = new P384Signer(pkcs8);
        return (data) => signer.sign(data);
      } finally {
        pkcs8.fill(0);
      }
    };
    await prove(createSign);
    return createSign;
  } catch (cause) {
    throw new Error(`${file} does not work: build it again with \`npm run build:signer\`, or delete it`, {
      cause,
    });
  }
}

/** A file of another version or another platform can load and still not do what this code expects. */
async function prove(createSign: CreateSign): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const data = Buffer.from('a signature base');
  const signature = await createSign(privateKey)(data);
  if (!verify('sha384', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature))
    throw new Error('node:crypto does not verify its signature');
}

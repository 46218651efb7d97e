// Chooses what signs: the native module where there is one that works, otherwise the crypto of Node (behaviour
// W34).
import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type CreateSign, loadNativeSigner } from '@concord/p384-signer';

const signInPool: (
  algorithm: string,
  data: Uint8Array,
  key: { key: KeyObject; dsaEncoding: 'ieee-p1363' },
) => Promise<Buffer> = promisify(sign);

export const signWithNode: CreateSign = (key) => (data) =>
  signInPool('sha384', data, { key, dsaEncoding: 'ieee-p1363' });

export type SignerOptions = {
  /** False: the native module is not loaded. */
  loadsNative: boolean;
  /** Called once, with what signs from now on. */
  onChosen: (signer: 'native' | 'node') => void;
  /** Called when there is a native module that does not work. */
  onBroken: (error: unknown) => void;
};

/**
 * Both sign in the thread pool of libuv. A signature keeps a core busy for about 1 ms with Node, and 0.1 ms
 * with the module. `file`: the native module; by default the one for this platform.
 */
export async function chooseSigner(
  { loadsNative, onChosen, onBroken }: SignerOptions,
  file?: string,
): Promise<CreateSign> {
  let native: CreateSign | null = null;
  try {
    if (loadsNative) native = await loadNativeSigner(file);
  } catch (error) {
    onBroken(error);
  }
  onChosen(native ? 'native' : 'node');
  return native ?? signWithNode;
}

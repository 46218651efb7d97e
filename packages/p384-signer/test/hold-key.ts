// Holds a private key in a native signer, while erasure.test.ts reads the memory of this process.
import { createPrivateKey } from 'node:crypto';
import { openSync, readSync } from 'node:fs';
import { loadNativeSigner, type Sign } from '../src/index.ts';

const [keyFile = ''] = process.argv.slice(2);
const createSign = await loadNativeSigner();

/** A function of its own, so that no variable keeps the key of Node. */
function openKey(): Sign | undefined {
  const buffer = Buffer.alloc(1_024);
  const der = buffer.subarray(0, readSync(openSync(keyFile, 'r'), buffer));
  const sign = createSign?.(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  buffer.fill(0);
  return sign;
}

let sign = openKey();
await sign?.(Buffer.from('data'));
// After this the key is in the native signer only.
globalThis.gc?.();
process.on('message', () => {
  sign = undefined;
  globalThis.gc?.();
  process.send?.('dropped');
});
process.send?.('holding');

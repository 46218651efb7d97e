// Signs with P-384 in the thread pool for a while: the bound of a sender of signed webhooks.
import { generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { loadNativeSigner } from '../../packages/p384-signer/src/index.ts';
import { now } from '../statistics.ts';

const [duration, signer] = process.argv.slice(2);
const durationMs = Number(duration);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const signInPool = promisify(sign) as (algorithm: string, data: Buffer, key: object) => Promise<Buffer>;
const signWithNode = (data: Buffer) =>
  signInPool('sha384', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
const signOne = signer === 'native' ? (await loadNativeSigner())?.(privateKey) : signWithNode;
// end-with-parent.ts unrefs the channel.
process.channel?.ref();
process.on('message', async () => process.send?.(await signForAWhile()));
process.send?.('ready');

async function signForAWhile() {
  let signatures = 0;
  const start = now();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (now() < start + durationMs) {
        await signOne?.(Buffer.alloc(300));
        signatures++;
      }
    }),
  );
  return { signatures, seconds: (now() - start) / 1_000 };
}

// Signs with P-384 in the thread pool for a while: the bound of a sender of signed webhooks.
import { generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { now } from '../statistics.ts';

const durationMs = Number(process.argv[2]);
const signInPool = promisify(sign) as (algorithm: string, data: Buffer, key: object) => Promise<Buffer>;
const key = { key: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, dsaEncoding: 'ieee-p1363' };
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
        await signInPool('sha384', Buffer.alloc(300), key);
        signatures++;
      }
    }),
  );
  return { signatures, seconds: (now() - start) / 1_000 };
}

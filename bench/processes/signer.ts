// Signs with P-384 in the thread pool for a while: the bound of every sender of signed webhooks.
import { generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { now } from '../statistics.ts';

const durationMs = Number(process.argv[2]);
const signInPool = promisify(sign) as (algorithm: string, data: Buffer, key: object) => Promise<Buffer>;
const key = { key: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, dsaEncoding: 'ieee-p1363' };
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
process.send?.({ perSecond: (signatures * 1_000) / (now() - start) });

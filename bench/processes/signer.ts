// Signs with P-384 in the thread pool for a while: the bound of every sender of signed webhooks.
import { generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { loadNativeSigner } from '../../packages/p384-signer/src/index.ts';
import { now } from '../statistics.ts';

const [duration, signer] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const signInPool = promisify(sign) as (algorithm: string, data: Buffer, key: object) => Promise<Buffer>;
const signWithNode = (data: Buffer) => signInPool('sha384', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
const signOne = signer === 'native' ? (await loadNativeSigner())?.(privateKey) : signWithNode;
if (!signOne) throw new Error('The native signer is not built: npm run build:signer');

let signatures = 0;
const [start, cpu] = [now(), process.cpuUsage()];
await Promise.all(
  Array.from({ length: 64 }, async () => {
    while (now() < start + Number(duration)) {
      await signOne(Buffer.alloc(300));
      signatures++;
    }
  }),
);
const used = process.cpuUsage(cpu);
process.send?.({
  perSecond: (signatures * 1_000) / (now() - start),
  perCpuSecond: (signatures * 1_000_000) / (used.user + used.system),
});

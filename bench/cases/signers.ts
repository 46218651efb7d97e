// What the native signer is worth: signatures of both signers, 64 at a time.
import { existsSync } from 'node:fs';
import { builtFile } from '../../packages/p384-signer/src/index.ts';
import type { Case } from '../case.ts';
import { ask, type Context } from '../context.ts';

const script = new URL('../processes/signer.ts', import.meta.url);
type Measured = { perSecond: number; perCpuSecond: number };

export const signers: Case = {
  name: 'signers',
  about: 'P-384 signatures by the native module where it was built, against those by the crypto of Node',
  rounds: 3,
  limitMinutes: 2,
  yardstick: 'node',
  async setUp({ quick }) {
    const measure = (signer: string) => async (scope: Context) => {
      const options = { args: [quick ? '500' : '4000', signer], environment: { UV_THREADPOOL_SIZE: '16' } };
      const { perSecond, perCpuSecond } = await ask<Measured>(scope.fork(script, options));
      return { second: perSecond, cpu_second: perCpuSecond };
    };
    return ['node', ...(existsSync(builtFile) ? ['native'] : [])].map((signer) => ({
      name: signer,
      unit: 'signatures',
      measure: measure(signer),
    }));
  },
};

// The yardstick of deliveries: each of them needs a signature.
import type { Case } from '../case.ts';
import { ask } from '../context.ts';
import { costOf, observe } from '../usage.ts';

export const p384Async: Case = {
  name: 'p384_async',
  about: 'yardstick: P-384 signatures of node:crypto in the thread pool, when the machine does nothing else',
  limitMinutes: 2,
  async measure(context) {
    const args = [context.quick ? '1000' : '5000'];
    const signer = context.fork(new URL('../processes/signer.ts', import.meta.url), {
      args,
      environment: { UV_THREADPOOL_SIZE: '16' },
    });
    const sign = () => ask<{ signatures: number; seconds: number }>(signer, 'sign');
    await ask(signer);
    const { result, use } = await observe({ service: { root: signer.pid ?? 0 } }, sign);
    const { signatures, seconds } = result;
    return [
      { name: 'p384_async', value: signatures / seconds, unit: 'signatures/s', cost: costOf(use, 'signature', signatures) },
    ];
  },
};

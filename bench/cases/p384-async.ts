// The yardstick of deliveries: each of them needs a signature.
import { existsSync } from 'node:fs';
import { moduleFile } from '../../packages/p384-signer/src/index.ts';
import type { Case, Row } from '../case.ts';
import { ask, type Context } from '../context.ts';
import { costOf, observe } from '../usage.ts';

export const p384Async: Case = {
  name: 'p384_async',
  about:
    'yardstick: P-384 signatures of node:crypto and of the native module, where there is one, when the machine does nothing else',
  limitMinutes: 2,
  async measure(context) {
    const signers = existsSync(moduleFile) ? ['node', 'native'] : ['node'];
    const results: Row[] = [];
    for (const signer of signers) results.push(await context.scope((scope) => measure(scope, signer)));
    return results;
  },
};

async function measure(context: Context, signer: string): Promise<Row> {
  const child = context.fork(new URL('../processes/signer.ts', import.meta.url), {
    args: [context.quick ? '1000' : '5000', signer],
    environment: { UV_THREADPOOL_SIZE: '16' },
  });
  const sign = () => ask<{ signatures: number; seconds: number }>(child, 'sign');
  await ask(child);
  const { result, use } = await observe({ service: { root: child.pid ?? 0 } }, sign);
  const { signatures, seconds } = result;
  const name = signer === 'node' ? 'p384_async' : 'p384_async/native';
  return {
    name,
    value: signatures / seconds,
    unit: 'signatures/s',
    cost: costOf(use, 'signature', signatures),
  };
}

// How many webhooks two workers deliver, against the signatures that Node makes when the machine does nothing else.
import { existsSync } from 'node:fs';
import { builtFile } from '../../packages/p384-signer/src/index.ts';
import type { Case } from '../case.ts';
import { startPostgres } from '../concord.ts';
import { ask, type Context } from '../context.ts';
import { createCrowd, deliverToCrowd, startApi, startReceiver, webhookSettings } from '../webhooks.ts';

const unit = 'deliveries/s';
const signerProcess = new URL('../processes/signer.ts', import.meta.url);

export const webhookThroughput: Case = {
  name: 'webhook_throughput',
  about:
    'deliveries by two workers to 1,000 endpoints, against the P-384 signatures that Node makes; also with the native signer',
  rounds: 3,
  limitMinutes: 10,
  yardstick: 'signatures',
  async setUp(context) {
    const postgres = await startPostgres(context, webhookSettings);
    const databaseUrl = await postgres.createDatabase(context);
    const receiver = await startReceiver(context);
    const api = await startApi(context, databaseUrl);
    const crowd = await createCrowd(api, receiver, context.quick);
    const deliver = (signer: 'node' | 'auto') => async (scope: Context) =>
      (await deliverToCrowd(scope, { databaseUrl, api, crowd, receiver, signer })).perSecond;
    const options = { args: [context.quick ? '500' : '4000', 'node'], environment: { UV_THREADPOOL_SIZE: '16' } };
    return [
      {
        name: 'signatures',
        unit: 'signatures/s',
        measure: async (scope) => (await ask<{ perSecond: number }>(scope.fork(signerProcess, options))).perSecond,
      },
      { name: 'two_workers', unit, measure: deliver('node') },
      ...(existsSync(builtFile) ? [{ name: 'two_workers_native', unit, measure: deliver('auto') }] : []),
    ];
  },
};

// How many webhooks two workers deliver, against the signatures that the machine makes when it does nothing else.
import type { Case } from '../case.ts';
import { startPostgres } from '../concord.ts';
import { ask } from '../context.ts';
import { createCrowd, deliverToCrowd, startApi, startReceiver, webhookSettings } from '../webhooks.ts';

const signer = new URL('../processes/signer.ts', import.meta.url);

export const webhookThroughput: Case = {
  name: 'webhook_throughput',
  about: 'deliveries by two workers to 1,000 endpoints, against the P-384 signatures that the machine makes',
  rounds: 3,
  limitMinutes: 10,
  yardstick: 'signatures',
  async setUp(context) {
    const postgres = await startPostgres(context, webhookSettings);
    const databaseUrl = await postgres.createDatabase(context);
    const receiver = await startReceiver(context);
    const api = await startApi(context, databaseUrl);
    const crowd = await createCrowd(api, receiver, context.quick);
    const options = { args: [context.quick ? '500' : '4000'], environment: { UV_THREADPOOL_SIZE: '16' } };
    return [
      {
        name: 'signatures',
        unit: 'signatures/s',
        measure: async (scope) => (await ask<{ perSecond: number }>(scope.fork(signer, options))).perSecond,
      },
      {
        name: 'two_workers',
        unit: 'deliveries/s',
        measure: async (scope) => (await deliverToCrowd(scope, { databaseUrl, api, crowd, receiver })).perSecond,
      },
    ];
  },
};

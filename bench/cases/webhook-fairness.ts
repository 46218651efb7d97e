// How much longer 20 deliveries to each of 1,000 endpoints take, when other endpoints never answer.
import type { Case } from '../case.ts';
import { startPostgres } from '../concord.ts';
import type { Context } from '../context.ts';
import { createCrowd, createPartner, deliverToCrowd, publish, startApi, startReceiver, webhookSettings } from '../webhooks.ts';

export const webhookFairness: Case = {
  name: 'webhook_fairness',
  about: '1,000 endpoints with 20 deliveries each, alone and beside endpoints that hang with a backlog',
  rounds: 3,
  limitMinutes: 30,
  yardstick: 'alone',
  async setUp(context) {
    const postgres = await startPostgres(context, webhookSettings);
    const receiver = await startReceiver(context);
    const hanging = `${receiver.url}/hang`;
    const [batches, endpoints] = context.quick ? [2, 10] : [100, 100];

    const alone = await postgres.createDatabase(context);
    const crowd = await context.scope(async (scope) => createCrowd(await startApi(scope, alone), receiver, context.quick));

    context.say(`one endpoint that hangs, with ${batches} times 1,000 events`);
    const besideOne = await postgres.createDatabase(context, alone);
    await context.scope(async (scope) => {
      const api = await startApi(scope, besideOne);
      const heavy = await createPartner(api, 1, hanging);
      for (let n = 0; n < batches; n++) await publish(api, heavy, 1_000);
    });

    context.say(`${2 * endpoints} more that hang`);
    const besideMany = await postgres.createDatabase(context, besideOne);
    await context.scope(async (scope) => {
      const api = await startApi(scope, besideMany);
      for (let n = 0; n < 2; n++) await publish(api, await createPartner(api, endpoints, hanging), 20);
    });

    /** Each round delivers from a copy: after a round, workers know which endpoints hang. */
    const deliverFromCopy = (original: string) => async (scope: Context) => {
      const databaseUrl = await postgres.createDatabase(scope, original);
      const api = await startApi(scope, databaseUrl);
      return (await deliverToCrowd(scope, { databaseUrl, api, crowd, receiver })).seconds;
    };
    return [
      { name: 'alone', unit: 's', measure: deliverFromCopy(alone) },
      { name: 'beside_one', unit: 's', measure: deliverFromCopy(besideOne) },
      { name: 'beside_many', unit: 's', measure: deliverFromCopy(besideMany) },
    ];
  },
};

// What statistics cost the delivery path: one process delivers with the counts of attempts, and without them.
import { signIn } from '../api.ts';
import type { Case } from '../case.ts';
import { startInProcess, startPostgres } from '../concord.ts';
import type { Context } from '../context.ts';
import { now } from '../statistics.ts';
import { createCrowd, publish, startReceiver, webhookSettings } from '../webhooks.ts';

const unit = 'deliveries/s';

export const statisticsCost: Case = {
  name: 'statistics_cost',
  about: 'deliveries by one process with the counts of statistics, against the same without them',
  rounds: 9,
  limitMinutes: 15,
  yardstick: 'without',
  async setUp(context) {
    const postgres = await startPostgres(context, webhookSettings);
    const databaseUrl = await postgres.createDatabase(context);
    const receiver = await startReceiver(context);
    const prepare = async (scope: Context) => signIn(await startInProcess(scope, { databaseUrl }));
    const crowd = await context.scope(async (scope) => createCrowd(await prepare(scope), receiver, context.quick));
    const total = crowd.endpoints * (context.quick ? 5 : 10);
    const measure = (left: { without?: 'count attempts' }) => async (scope: Context) => {
      const api = await signIn(await startInProcess(scope, { databaseUrl, ...left }));
      await receiver.arrivals();
      for (const id of crowd.partnerIds) await publish(api, id, total / crowd.endpoints);
      const published = now();
      await receiver.untilArrived(total);
      const late = (await receiver.arrivals()).filter((at) => at > published);
      // What arrived during the publishing shared the process with it.
      return (late.length * 1_000) / ((late.at(-1) ?? 0) - published);
    };
    return [
      { name: 'without', unit, measure: measure({ without: 'count attempts' }) },
      { name: 'with', unit, measure: measure({}) },
    ];
  },
};

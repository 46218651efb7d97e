// What statistics cost the delivery path: one process delivers with the counts of attempts, and without them.
import { signIn } from '../api.ts';
import type { Case } from '../case.ts';
import { connectSql, startInProcess, startPostgres } from '../concord.ts';
import type { Context } from '../context.ts';
import { serverCpuSeconds } from '../cpu.ts';
import { createCrowd, publish, startApi, startReceiver, webhookSettings } from '../webhooks.ts';

const unit = 'deliveries per second of CPU';

export const statisticsCost: Case = {
  name: 'statistics_cost',
  about: 'deliveries for a second of CPU (Concord and PostgreSQL) with the counts of statistics, against the same without them',
  rounds: 9,
  limitMinutes: 15,
  yardstick: 'without',
  async setUp(context) {
    const postgres = await startPostgres(context, webhookSettings);
    const databaseUrl = await postgres.createDatabase(context);
    const sql = await connectSql(context, databaseUrl);
    const receiver = await startReceiver(context);
    const crowd = await context.scope(async (scope) =>
      createCrowd(await signIn(await startInProcess(scope, { databaseUrl })), receiver, context.quick),
    );
    const perEndpoint = context.quick ? 5 : 10;
    const cpu = async () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000_000 + (await serverCpuSeconds(sql));
    const measure = (left: { without?: 'count attempts' }) => async (scope: Context) => {
      await scope.scope(async (publishing) => {
        const api = await startApi(publishing, databaseUrl);
        for (const id of crowd.partnerIds) await publish(api, id, perEndpoint);
      });
      await sql.query('vacuum analyze');
      await receiver.arrivals();
      const before = await cpu();
      await startInProcess(scope, { databaseUrl, role: 'worker', ...left });
      await receiver.untilArrived(crowd.endpoints * perEndpoint);
      return (crowd.endpoints * perEndpoint) / ((await cpu()) - before);
    };
    return [
      { name: 'without', unit, measure: measure({ without: 'count attempts' }) },
      { name: 'with', unit, measure: measure({}) },
    ];
  },
};

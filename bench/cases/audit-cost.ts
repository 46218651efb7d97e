// What the audit log costs: POST of agreements with its rows and seals, against the same service without them.
import { signIn } from '../api.ts';
import type { Case } from '../case.ts';
import { startInProcess, startPostgres } from '../concord.ts';
import type { Context } from '../context.ts';
import { measureLoad, postRequest } from '../load.ts';

const connections = 16;

export const auditCost: Case = {
  name: 'audit_cost',
  about: 'POST of agreements with the audit log and its seals, against none',
  rounds: 5,
  limitMinutes: 6,
  yardstick: 'without audit',
  async setUp(context) {
    const postgres = await startPostgres(context);
    const databaseUrl = await postgres.createDatabase(context);
    await context.scope((scope) => startInProcess(scope, { databaseUrl }));
    const measure = (left: { without?: 'record action' }) => async (scope: Context) => {
      const copy = await postgres.createDatabase(scope, databaseUrl);
      const { url, token, post } = await signIn(await startInProcess(scope, { databaseUrl: copy, ...left }));
      // A partner for each connection, since changes of one partner run one at a time.
      const partners = await Promise.all(Array.from({ length: connections }, () => post('/partners', { name: 'Acme' })));
      const load = (phase: string) => ({
        ...{ url, connections },
        request: partners.map(({ id }) =>
          postRequest(`/partners/${id}/agreements`, token, { email: `${phase}{number}@bench.example` }),
        ),
      });
      await measureLoad(scope, { ...load('warm'), durationMs: context.quick ? 100 : 1_000 });
      return measureLoad(scope, { ...load('a'), durationMs: context.quick ? 500 : 4_000 });
    };
    return [
      { name: 'without audit', unit: 'requests/s', measure: measure({ without: 'record action' }) },
      { name: 'audited', unit: 'requests/s', measure: measure({}) },
    ];
  },
};

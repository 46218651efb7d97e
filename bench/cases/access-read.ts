// What reading a partner costs: with the access read over pipelined connections and over the pool, against a bare HTTP server.
import { signIn } from '../api.ts';
import type { Case } from '../case.ts';
import { startInProcess, startPostgres } from '../concord.ts';
import type { Context } from '../context.ts';
import { getRequest, measureLoad, startBareServer } from '../load.ts';

const unit = 'requests/s';

export const accessRead: Case = {
  name: 'access_read',
  about: 'GET of a partner over the pool and over pipelined connections, against a bare node:http server',
  rounds: 7,
  limitMinutes: 10,
  yardstick: 'bare',
  async setUp(context) {
    const postgres = await startPostgres(context);
    const databaseUrl = await postgres.createDatabase(context);
    const { request, body } = await context.scope((scope) => preparePartner(scope, databaseUrl));
    async function measure(url: string, scope: Context, warmUpMs: number, durationMs: number): Promise<number> {
      const load = { url, request, connections: 64 };
      await measureLoad(scope, { ...load, durationMs: warmUpMs });
      return measureLoad(scope, { ...load, durationMs: context.quick ? 500 : durationMs });
    }
    const service = (accessReadOverPool: boolean) => async (scope: Context) =>
      measure(await startInProcess(scope, { databaseUrl, accessReadOverPool }), scope, 1_000, 3_000);
    return [
      { name: 'bare', unit, measure: async (scope) => measure(await startBareServer(scope, body), scope, 500, 1_500) },
      { name: 'pool', unit, measure: service(true) },
      { name: 'pipelined', unit, measure: service(false) },
    ];
  },
};

/** The request that every variant gets, and the body of its response. */
async function preparePartner(context: Context, databaseUrl: string): Promise<{ request: string; body: string }> {
  const { url, token, post } = await signIn(await startInProcess(context, { databaseUrl }));
  const { id } = await post('/partners', { name: 'Acme' });
  const response = await fetch(`${url}/partners/${id}`, { headers: { authorization: `Bearer ${token}` } });
  return { request: getRequest(`/partners/${id}`, token), body: await response.text() };
}

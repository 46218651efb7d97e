// Lists and filters, on a small database and on the one that `--seed` fills.
import type { Row } from './case.ts';
import type { Context } from './context.ts';
import { getRequest } from './load.ts';
import { fill, type Size } from './seed.ts';
import { seededSize, startSeeded } from './seeded.ts';
import { type Stage, startStage } from './stage.ts';
import { costOf } from './usage.ts';

const small: Size = { partners: 1_000, deliveries: 10_000 };

type Known = Awaited<ReturnType<typeof lookUp>>;

/**
 * Measures each path with one client, on both databases. `unit` names what grows. A path is measured for two
 * seconds at most.
 * @returns rows like `growth: users at 1,000 partners`
 */
export async function measureGrowth(
  context: Context,
  unit: keyof Size,
  pathsOf: (known: Known) => Readonly<Record<string, string>>,
): Promise<Row[]> {
  const measure = (size: Size, start: (scope: Context) => Promise<Stage>) =>
    context.scope(async (scope) => {
      const stage = await start(scope);
      const rows: Row[] = [];
      for (const [label, path] of Object.entries(pathsOf(await lookUp(stage, size)))) {
        const name = `growth: ${label} at ${size[unit].toLocaleString('en')} ${unit}`;
        rows.push(await measurePath(stage, name, path));
      }
      return rows;
    });
  const rows = await measure(small, async (scope) => {
    const stage = await startStage(scope);
    await fill(stage, small, () => {});
    return stage;
  });
  const large = context.quick ? undefined : seededSize();
  if (large === undefined) {
    context.say('only the small database: `npm run bench -- --seed` fills the large one');
    return rows;
  }
  const others = await measure(large, startSeeded);
  return rows.flatMap((row, index) => [row, ...others.slice(index, index + 1)]);
}

async function measurePath({ api, load, observe, quick }: Stage, name: string, path: string): Promise<Row> {
  const requests = [getRequest(path, api.token)];
  await load({ requests, connections: 1, count: 5, durationMs: 2_000 });
  const { result, use } = await observe(() =>
    load({ requests, connections: 1, count: quick ? 5 : 50, durationMs: 2_000 }),
  );
  return { name, value: result.p95, unit: 'ms p95', cost: costOf(use, 'request', result.requests) };
}

/** The ids that paths need, and the times 30 and 5 days ago. The partner is the one with half of the deliveries. */
async function lookUp({ api, sql }: Stage, { partners }: Size) {
  const firstOf = async (path: string) => {
    const response = await fetch(api.url + path, { headers: { authorization: `Bearer ${api.token}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    const [first = {}] = (await response.json()) as Record<string, string>[];
    return first;
  };
  const { id: partner = '' } = await firstOf(
    '/partners?filter[name]=Acme&sort_by=created_at&sort_dir=asc&page_size=1',
  );
  const {
    endpoint_id: endpoint = '',
    event_id: event = '',
    id: delivery = '',
  } = await firstOf(`/partners/${partner}/deliveries?page_size=1&filter[status]=failed`);
  const { rows } = await sql.query<{ from: Date; days5: Date }>(
    "select now() - interval '30 days' as from, now() - interval '5 days' as days5",
  );
  const [from = '', days5 = ''] = [rows[0]?.from.toISOString(), rows[0]?.days5.toISOString()];
  return { partner, endpoint, event, delivery, partners, from, days5 };
}

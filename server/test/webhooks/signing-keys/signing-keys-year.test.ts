// A year of signing keys, day by day, on two instances, with a clock that the test moves.
import { expect, it } from 'vitest';
import { inForm } from '../../stage/form.ts';
import { openService } from '../../stage/start-service.ts';

const dayMs = 86_400_000;
const days = inForm({ short: 100, long: 365 });

type Key = { kid: string; environment: string; state: string };
type Days = Map<string, { first: number; last: number }>;
const note = (map: Days, kid: string, day: number) =>
  map.set(kid, { first: map.get(kid)?.first ?? day, last: day });

it('W6: over a year, each key is listed for two days before it signs and for three weeks after', async () => {
  const service = await openService();
  const other = await openService({}, () => service.database.url);
  const start = Date.now();
  const listedOn: Days = new Map();
  const signedOn: Days = new Map();
  await service.sql(`update auth.session set expires_at = '2100-01-01'`);
  for (let day = 0; day <= days; day++) {
    const now = new Date(start + day * dayMs).toISOString();
    await service.setClock(now);
    await service.sql(`update auth.session set updated_at = $1`, [now]);
    await Promise.all([service.runTask('rotate signing keys'), other.runDue('rotate signing keys')]);
    const { body: jwks } = await service.get('/.well-known/jwks.json', null);
    for (const { kid } of jwks.keys) note(listedOn, kid, day);
    const { body: keys } = await service.get('/signing-keys');
    const inState = (state: string) =>
      keys.filter((key: Key) => key.environment === 'live' && key.state === state);
    const active: Key[] = inState('active');
    expect(active).toHaveLength(1);
    note(signedOn, active[0]!.kid, day);
    expect(inState('pending').length).toBeGreaterThan(0);
  }
  expect(signedOn.size).toBe(Math.floor(days / 30) + 1);
  const sequences = await service.sql(
    `select sequence from signing_key where environment = 'live' order by sequence`,
  );
  expect(sequences.map(({ sequence }) => sequence)).toEqual(sequences.map((_, index) => index + 1));
  for (const [kid, { first, last }] of signedOn) {
    const listed = listedOn.get(kid);
    if (first > 0) expect(first - (listed?.first ?? first)).toBeGreaterThanOrEqual(2);
    if (last < days - 25) expect((listed?.last ?? 0) - last).toBeGreaterThanOrEqual(20);
    expect(last - first).toBeLessThanOrEqual(31);
  }
});

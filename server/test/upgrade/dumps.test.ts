// Today's program on the database of each release that had new migrations.
import { afterEach, expect, it } from 'vitest';
import { createSealKeys, verifyLog } from '../../src/audit/index.ts';
import { parseSecrets } from '../../src/base/config-values.ts';
import { createDatabase } from '../../src/base/postgres/database.ts';
import { pluck, stock, succeed, times } from '../stage/cast.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { useFullHashes } from '../stage/scrypt.ts';
import { startTestService, type TestDatabase, type TestService } from '../stage/start-service.ts';
import { dumpNames, memberPassword, migrationsUpTo, readDump, restoreDump, secrets } from './dump.ts';

useFullHashes();

/** In the reverse order of their creation. */
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

it('O40: there is a dump of every release that has new migrations', () => {
  expect(dumpNames).toContain('0009_across_features');
});

it.each(dumpNames)('O40: a database of the release with migration %s works in this version', async (name) => {
  const dump = readDump(name);
  // A migration that a release has applied never changes: other databases would then differ from new ones.
  expect(dump.migrations).toEqual(migrationsUpTo(name));

  const old = await restoreDump(dump);
  closing.push(old.drop);
  // The dumps grow old. An endpoint that has failed for days would be disabled.
  await old.sql(`update access_token set expires_at = now() + interval '1 day'`);
  await old.sql('update lane set failing_since = now() where failing_since is not null');
  const environment = {
    ...toLoopback,
    CONCORD_SECRETS: secrets,
    CONCORD_WEBHOOK_RETENTION: '3650d',
    // The pending delivery is due at once, and its old address refuses it until the test gives it another.
    CONCORD_WEBHOOK_RETRY_SCHEDULE: times(50, () => '200ms').join(','),
  };
  const service = await startTestService(environment, () => old.url);
  closing.push(service.stop);
  await holdPeople(service, dump.facts);
  await holdWebhooks(service, old, dump.facts);
  await holdAudit(old.url);
});

type Facts = ReturnType<typeof readDump>['facts'];

/** The operator has signed in (startTestService). */
async function holdPeople({ request, signIn }: TestService, { partner, member, serviceToken }: Facts) {
  const path = `/partners/${partner}`;
  expect(succeed(await request('GET', path))).toMatchObject({
    name: 'Nordlys AS',
    vat_no: 'NO 987 654 321',
    phone: '+47 22 00 00 00',
  });
  expect(succeed(await request('PATCH', path, { body: { phone: '+47 1' } }))).toMatchObject({
    phone: '+47 1',
    name: 'Nordlys AS',
  });
  expect(pluck(succeed(await request('GET', '/partners')), 'id')).toEqual([partner]);
  const token = await signIn(member.email, memberPassword);
  for (const bearer of [token, member.accessToken, serviceToken])
    expect((await request('GET', path, { token: bearer })).status).toBe(bearer === serviceToken ? 403 : 200);
  const agreement = succeed(await request('GET', `${path}/agreements/${member.agreement}`));
  expect([agreement.accepted, pluck(agreement.acl_permission_groups, 'name')]).toEqual([true, ['Readers']]);
}

async function holdWebhooks(
  { request, url }: TestService,
  old: TestDatabase,
  { partner, events, kids }: Facts,
) {
  const receiver = await startReceiver(url);
  closing.push(receiver.close);
  const path = `/partners/${partner}`;
  const jwks = succeed(await request('GET', '/.well-known/jwks.json', { token: null }));
  expect(jwks.keys.length).toBeGreaterThanOrEqual(2);
  const listed = pluck(succeed(await request('GET', '/signing-keys')), 'kid');
  expect(listed).toEqual(expect.arrayContaining(kids));
  const hook = receiver.url();
  // Over HTTP, another origin would need other headers. They are sealed in the dump.
  await old.sql('update webhook_endpoint set url = $1', [hook]);
  const event = stock(9);
  const published = succeed(await request('POST', `${path}/events`, { body: event })).id;
  const expected = [events.pending, published];
  const arrived = await receiver.count(hook, expected.length);
  expect(new Set(arrived.map(({ event: { id } }) => id))).toEqual(new Set(expected));
  for (const { headers } of arrived) expect(headers['x-shop']).toBe('nordlys');
  const all = [...events.delivered, ...expected];
  await expect
    .poll(async () => {
      const deliveries = succeed(await request('GET', `${path}/deliveries?filter[status]=delivered`));
      return new Set(pluck(deliveries, 'event_id'));
    })
    .toEqual(new Set(all));
  expect(receiver.refused).toEqual([]);
}

/** Rows from before there were seals are sealed by the first start. */
async function holdAudit(url: string) {
  const db = createDatabase({
    connection: { connectionString: url },
    maxConnections: 1,
    onConnectionLost: () => {},
  });
  try {
    const keys = createSealKeys(parseSecrets(secrets));
    const verify = () => verifyLog({ db, keys, expected: undefined, progress: () => {} });
    await expect.poll(async () => (await verify()).waiting).toBe(0);
    const { findings, rows } = await verify();
    expect(findings).toEqual([]);
    expect(rows).toBeGreaterThan(0);
  } finally {
    await db.close();
  }
}

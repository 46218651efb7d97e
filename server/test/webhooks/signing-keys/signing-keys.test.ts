// Signing keys: publication, one rotation for any number of instances, and revocation.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type CreateSign, moduleFile } from '@concord/p384-signer';
import sql from 'sql-template-tag';
import { expect, it, onTestFinished } from 'vitest';
import { parseSecrets } from '../../../src/base/config-values.ts';
import { createKeyring, signWithNode } from '../../../src/webhooks/signing-keys/index.ts';
import { selectActive } from '../../../src/webhooks/signing-keys/store.ts';
import { atOnce, expectStatus, times } from '../../stage/cast.ts';
import { type Network, startNetwork } from '../../stage/network.ts';
import { startReceiver, toLoopback } from '../../stage/receiver.ts';
import { openService, secrets, useService } from '../../stage/start-service.ts';
import { createWebhookPartner } from '../../stage/webhook-stage.ts';

const service = useService();

type Key = { kid: string; environment: string; state: string; activates_at: string; retires_at: string };
const jwks = (environment = 'live', headers = {}) =>
  service.request('GET', `${environment === 'live' ? '' : '/sandbox'}/.well-known/jwks.json`, {
    token: null,
    headers,
  });
const keysOf = async (environment: string): Promise<Key[]> => {
  const { body } = await service.get('/signing-keys');
  return body.filter((key: Key) => key.environment === environment);
};
const kidsOf = ({ body }: { body: { keys: { kid: string }[] } }) => body.keys.map(({ kid }) => kid);
const inState = (keys: Key[], state: string) =>
  keys.filter((key) => key.state === state).map(({ kid }) => kid);

it('W5: each environment has its own JWKS, cacheable, with public parts only', async () => {
  const [live, sandbox] = [await jwks(), await jwks('sandbox')];
  expect(live.headers['cache-control']).toBe('public, max-age=3600, stale-if-error=86400');
  expect(live.headers['content-type']).toContain('application/json');
  expect(kidsOf(live)).toHaveLength(2);
  expect(kidsOf(live).filter((kid) => kidsOf(sandbox).includes(kid))).toEqual([]);
  await expectStatus(304, jwks('live', { 'if-none-match': String(live.headers.etag) }));
  for (const { kid, crv, kty, x, y } of live.body.keys) {
    expect(kid).toBe(createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url'));
  }
});

it('W7: the private part of each key is sealed', async () => {
  const rows = await service.sql('select kid, public_jwk, sealed from signing_key');
  expect(rows).toHaveLength(4);
  for (const { public_jwk, sealed } of rows) {
    expect(Object.keys(public_jwk).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(sealed.toString('latin1')).not.toContain('"d"');
  }
});

it('W50: when the clock of the database is set back by an hour, the youngest active key goes on signing', async () => {
  const db = service.database.open();
  onTestFinished(async () => {
    await service.advanceClock(0);
    await db.close();
  });
  const keyring = createKeyring({ db, secrets: parseSecrets(secrets) });
  const kidsNow = async () => Object.values(await keyring.signers(db)).map(({ kid }) => kid);
  const before = await kidsNow();
  await service.advanceClock(-3_600_000);
  expect(await kidsNow()).toEqual(before);
  expect(inState(await keysOf('live'), 'active')).toEqual(before.slice(0, 1));
  expect(kidsOf(await jwks())).toContain(before[0]);
});

it('W6: a manual rotation gives two days of notice, and repeated requests rotate once', async () => {
  const before = await keysOf('sandbox');
  const rotate = () => service.post('/signing-keys/rotate', { environment: 'sandbox' });
  const answers = await atOnce(5, () => rotate());
  const moments = new Set(answers.map(({ body }) => body.rotates_at));
  expect(moments.size).toBe(1);
  const [moment] = moments as Set<string>;
  // The next key was published when it was created.
  const [{ created_at }] = await service.sql('select created_at from signing_key where kid = $1', [
    inState(before, 'pending')[0],
  ]);
  expect(Date.parse(moment ?? '') - created_at).toBe(48 * 3_600_000);
  const after = await keysOf('sandbox');
  expect(inState(after, 'active')).toEqual(inState(before, 'active'));
  expect(after.find(({ state }) => state === 'active')?.retires_at).toBe(moment);
  // The key that takes over next already has a successor.
  expect(inState(after, 'pending')).toHaveLength(2);
  await expectStatus(400, service.post('/signing-keys/rotate', { environment: 'other' }));
});

it('W58: a sandbox key can be rotated at once, and a live key cannot', async () => {
  const rotate = (environment: string) =>
    service.post('/signing-keys/rotate', { environment, immediately: true });
  const [active, next] = [
    inState(await keysOf('sandbox'), 'active'),
    inState(await keysOf('sandbox'), 'pending'),
  ];
  const { status, body } = await rotate('sandbox');
  expect(status).toBe(200);
  expect(Math.abs(Date.parse(body.rotates_at) - Date.now())).toBeLessThan(60_000);
  const after = await keysOf('sandbox');
  expect(inState(after, 'active')).toEqual([next[0]]);
  expect(inState(after, 'retired')).toContain(active[0]);
  expect(inState(after, 'pending').length).toBeGreaterThan(0);
  const refused = await rotate('live');
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [expect.objectContaining({ pointer: '/immediately' })],
  ]);
});

it('W58: no rotation makes the sandbox JWKS larger than receivers read', async () => {
  const fill = (keys: number) =>
    service.sql(
      `insert into signing_key (kid, environment, sequence, public_jwk, sealed, created_at, activates_at, retires_at)
       select lpad(n::text, 43, 'filled'), environment, 1000 + n, public_jwk, sealed, now() - interval '3 days', now() - interval '2 days', now() - interval '1 day'
       from (select * from signing_key where environment = 'sandbox' limit 1) key, generate_series(1, $1::int) n`,
      [keys],
    );
  const published = async () => (await service.get('/sandbox/.well-known/jwks.json')).body.keys.length;
  await fill(200 - (await published()));
  expect(await published()).toBe(200);
  const rotate = () => service.post('/signing-keys/rotate', { environment: 'sandbox', immediately: true });
  expect((await rotate()).body).toMatchObject({ code: 'limit_reached' });
  await expectStatus(204, service.post(`/signing-keys/${'1'.padStart(43, 'filled')}/revoke`));
  await expectStatus(200, rotate());
  await service.sql(`delete from signing_key where kid like 'filled%'`);
});

it('W6: a revoked key is delisted at once, and its successor signs at once', async () => {
  const [before, listed] = [await keysOf('live'), kidsOf(await jwks())];
  const [active, pending] = [inState(before, 'active'), inState(before, 'pending')];
  const revoke = (kid = '') => service.post(`/signing-keys/${kid}/revoke`);
  for (const unknown of ['unknown', '%00']) await expectStatus(404, revoke(unknown));
  await expectStatus(204, revoke(active[0]));
  const after = await keysOf('live');
  expect([inState(after, 'active'), inState(after, 'revoked')]).toEqual([pending, active]);
  expect(inState(after, 'pending')).toHaveLength(1);
  const now = kidsOf(await jwks());
  expect([listed.includes(active[0] ?? ''), now.includes(active[0] ?? '')]).toEqual([true, false]);
  await expectStatus(204, revoke(active[0]));
  expect(await keysOf('live')).toEqual(after);
  const db = service.database.open();
  onTestFinished(db.close);
  const signing = async () => (await selectActive(db)).map(({ kid }) => kid).toSorted();
  expect(await signing()).toEqual([pending[0], inState(await keysOf('sandbox'), 'active')[0]].toSorted());
  const sandbox = await keysOf('sandbox');
  await expectStatus(204, revoke(inState(sandbox, 'active')[0]));
  expect(inState(await keysOf('sandbox'), 'active')).toEqual(inState(sandbox, 'pending').slice(0, 1));
  expect(await keysOf('live')).toEqual(after);
  const actions = await service.sql(`select action from audit_log where action like 'signing_key%'`);
  expect(new Set(actions.map(({ action }) => action))).toEqual(
    new Set(['signing_key.rotate', 'signing_key.revoke']),
  );
});

it('W6: when several instances start on a database without keys, only one creates keys', async () => {
  await service.sql('delete from signing_key');
  const db = service.database.open();
  const instances = times(8, () => createKeyring({ db, secrets: parseSecrets(secrets) }));
  await Promise.all(instances.map((instance) => instance.ensure()));
  await db.close();
  for (const environment of ['live', 'sandbox']) {
    const keys = await keysOf(environment);
    expect([inState(keys, 'active').length, inState(keys, 'pending').length]).toEqual([1, 1]);
  }
});

it('W34: a key is opened once, and forgotten when it signs no more', async () => {
  await service.sql('delete from signing_key');
  const db = service.database.open();
  onTestFinished(db.close);
  const opened: unknown[] = [];
  const createSign: CreateSign = (privateKey) => {
    opened.push(privateKey.export({ format: 'jwk' }).d);
    return signWithNode(privateKey);
  };
  const keyring = createKeyring({ db, secrets: parseSecrets(secrets), createSign });
  await keyring.ensure();
  // One transaction, so that the task of the service does not move the times.
  await db.transaction(async (tx) => {
    const before = await keyring.signers(tx);
    expect(await keyring.signers(tx)).toEqual(before);
    expect(opened).toHaveLength(2);
    /** Exchanges the times of the two live keys. */
    const exchange = sql`update signing_key set (activates_at, retires_at) = (
      select activates_at, retires_at from signing_key other where other.environment = 'live' and other.kid <> signing_key.kid
    ) where environment = 'live'`;
    await tx.query(exchange);
    const after = await keyring.signers(tx);
    expect([after.live.kid === before.live.kid, after.sandbox === before.sandbox, opened.length]).toEqual([
      false,
      true,
      3,
    ]);
    await tx.query(exchange);
    expect((await keyring.signers(tx)).live.kid).toBe(before.live.kid);
  });
  // The first key was not kept while the second one signed.
  expect(opened).toHaveLength(4);
  expect(opened[3]).toBe(opened[0]);
});

it('W6: a transaction that started before another instance created the keys leaves them unchanged', async () => {
  const before = await keysOf('live');
  const db = service.database.open();
  // Simulates a key from an instance that started one second later.
  await service.sql(
    `update signing_key set created_at = now() + interval '1 second', activates_at = now() + interval '1 second'
     where kid = $1`,
    [inState(before, 'active')[0]],
  );
  await createKeyring({ db, secrets: parseSecrets(secrets) }).ensure();
  await db.close();
  const after = await keysOf('live');
  expect([inState(after, 'active'), inState(after, 'pending')]).toEqual([
    inState(before, 'active'),
    inState(before, 'pending'),
  ]);
});

it('W27: both JWKS are answered while the database is away; a change by another instance is seen when it is back', async () => {
  const network: { current?: Network } = {};
  const away = await openService({}, async (url) => {
    network.current = await startNetwork(url);
    onTestFinished(network.current.close);
    return network.current.url;
  });
  const paths = ['/.well-known/jwks.json', '/sandbox/.well-known/jwks.json'];
  const read = () => Promise.all(paths.map((path) => away.request('GET', path, { token: null })));
  const summary = (all: Awaited<ReturnType<typeof read>>) =>
    all.map(({ status, body, headers }) => [status, body, headers.etag, headers['cache-control']]);
  // The first requests of this service come while the database is away: the start has remembered the keys.
  const answers = [];
  for (const mode of ['cut', 'silent'] as const) {
    network.current!.set(mode);
    answers.push(summary(await read()));
    // In silence, other operations wait for many seconds.
    if (mode === 'cut') await expectStatus(500, away.request('GET', '/partners'));
    network.current!.set('cut'); // the dropped bytes never arrive
    network.current!.set('up');
    await expect.poll(async () => (await away.request('GET', '/partners')).status).toBe(200);
  }
  const present = summary(await read());
  expect(answers).toEqual([present, present]);
  expect(present.map(([status]) => status)).toEqual([200, 200]);

  const { body: keys } = await away.request('GET', '/signing-keys');
  const { kid } = keys.find(({ environment, state }: Key) => environment === 'sandbox' && state === 'active');
  // Another instance revokes the key.
  await away.database.sql('update signing_key set revoked_at = concord_now() where kid = $1', [kid]);
  await expect.poll(async () => kidsOf((await read())[1]!)).not.toContain(kid);
});

it.each([
  ['auto', existsSync(moduleFile) ? 'native' : 'node'],
  ['node', 'node'],
])(
  'W34: with CONCORD_SIGNER=%s the start logs the signer %s, and receivers accept its signatures',
  async (setting, signer) => {
    const service = await openService({ ...toLoopback, CONCORD_SIGNER: setting });
    const lines = service.logs.map((line) => JSON.parse(line));
    expect(lines.filter((line) => 'signer' in line)).toEqual([
      expect.objectContaining({ level: 30, signer }),
    ]);

    expect((await service.get('/metrics')).text).toMatch(
      new RegExp(`^concord_signer_info{signer="${signer}",.*} 1$`, 'm'),
    );

    const receiver = await startReceiver(service.url);
    onTestFinished(receiver.close);
    const url = receiver.url();
    const partner = await createWebhookPartner(service, url);
    await partner.publishMany(20);
    expect(await receiver.count(url, 20)).toHaveLength(20);
    expect(receiver.refused).toEqual([]);
  },
);

it('W34: an instance that sends no webhooks chooses no signer', async () => {
  const service = await openService({ CONCORD_ROLE: 'api' });
  expect(service.logs.filter((line) => 'signer' in JSON.parse(line))).toEqual([]);
});

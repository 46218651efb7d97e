// The test of a connection before it is on, a connection with a key, and a provider that is away.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { codeOf, succeed, useCast } from '../../stage/cast.ts';
import { createTravel, environment, useCompany } from '../../stage/connection-stage.ts';

const { service, cast } = useCast(environment);
const travel = createTravel(service);
const a = useCompany(service);

const one = () => `/partners/${a.partner}/connections/${a.connection}`;
const untested = () =>
  service.sql('update identity_connection set enabled = false, tested_at = null, tested_by = null');

async function test(token: string) {
  const left = await travel.leave(`${one()}/test`, undefined, token);
  const sub = travel.person(a, `tester@${a.domain}`);
  const back = await travel.browseAs(a, left, sub);
  return () => travel.comeBack(back, left.cookie);
}

it('K2: a sign-in of an owner tests a connection that is off, and leaves no account', async () => {
  const other = randomUUID();
  await service.sql(
    `insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret)
     values ($1, $2, 'Other', 'https://other.example', 'c', 'client_secret_basic', '')`,
    [other, a.partnerId],
  );
  await untested();
  const users = () => service.sql('select count(*)::int from auth."user"');
  const before = await users();
  const comeBack = await test(a.owner.token);
  expect(succeed(await comeBack())).toEqual({ tested: a.connection });
  expect(await users()).toEqual(before);
  expect(await service.sql('select tested_at from identity_connection where id = $1', [other])).toEqual([
    { tested_at: null },
  ]);
  expect(succeed(await service.put(`${one()}/enable`, undefined, a.owner.token)).enabled).toBe(true);
});

it('K2: whoever is no owner any more, or began before a change, tests nothing', async () => {
  await untested();
  for (const end of [{ owner: false }, { expires_at: new Date(0).toISOString() }]) {
    const leaving = await cast.owner(a.partner);
    await cast.join(await cast.partner(), leaving, { owner: true });
    const comeBack = await test(leaving.token);
    succeed(await cast.change(a.partner, leaving.agreement, end));
    expect(codeOf(await comeBack())).toEqual([400, 'provider_refused']);
  }
  const late = await test(a.owner.token);
  await service.sql('update identity_connection set revision = revision + 1');
  expect(codeOf(await late())).toEqual([400, 'provider_refused']);
  expect((await service.get(one(), a.owner.token)).body.tested_at).toBeNull();
});

it('K1, K11: a connection with private_key_jwt signs in with the key that Concord made', async () => {
  const { public_jwk: jwk } = succeed(
    await service.patch(one(), { authentication: 'private_key_jwt' }, a.owner.token),
  );
  await a.oidc.takeKey(jwk);
  const comeBack = await test(a.owner.token);
  expect(succeed(await comeBack())).toEqual({ tested: a.connection });
});

it('K12: strangers learn no address of a provider that is away; its owners do', async () => {
  await service.sql(
    'update identity_connection set enabled = true, tested_at = now(), revision = revision + 1, issuer = $1',
    ['http://127.0.0.1:1/secret'],
  );
  const stranger = await service.post('/api/auth/sign-in/connection', { connection_id: a.connection }, null);
  expect(codeOf(stranger)).toEqual([503, 'provider_unavailable']);
  expect(stranger.text).not.toContain('127.0.0.1:1');
  // The operator reads why, and is not called: anybody could cause it.
  const failed = service.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed');
  expect(failed.map(({ level, err }) => [level, err.message.includes('127.0.0.1:1/secret')])).toEqual([
    [40, true],
  ]);
  const owner = await service.post(`${one()}/test`, undefined, a.owner.token);
  expect([codeOf(owner), owner.body.message]).toEqual([
    [503, 'provider_unavailable'],
    expect.stringContaining('http://127.0.0.1:1/secret'),
  ]);
});

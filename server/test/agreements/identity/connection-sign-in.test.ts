// Signing in with the identity provider of a company: two real providers serve two partners.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { codeOf, expectCode, expectStatus, succeed, useCast } from '../../stage/cast.ts';
import { type Company, createTravel, environment, useCompany } from '../../stage/connection-stage.ts';
import { createEnrolment } from '../../stage/enrolment.ts';
import type { Response } from '../../stage/start-service.ts';

const { service, cast } = useCast(environment);
const travel = createTravel(service);
const [a, b] = [useCompany(service), useCompany(service)];

const refusedSignIn = async (company: Company, sub: string) => codeOf(await travel.signIn(company, sub));
let count = 0;
const addressIn = ({ domain }: Company) => `ann${++count}@${domain}`;
async function newcomer(company: Company) {
  const email = addressIn(company);
  travel.person(company, email);
  return { email, ...succeed(await travel.signIn(company, email)) };
}
const set = (company: Company, change: string) =>
  service.sql(`update identity_connection set ${change} where id = $1`, [company.uuid]);

const link = (connection: string, userId: string, sub: string = randomUUID()) =>
  service.sql(
    'insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, $2, $3, now())',
    [sub, `connection:${connection}`, userId],
  );

it('K11: the address leads to the provider of its domain, and says nothing about accounts', async () => {
  const methods = (email: string) => service.post('/api/auth/sign-in/methods', { email }, null);
  const found = { connection: { id: a.connection, name: 'Directory' } };
  expect(succeed(await methods(`nobody@${a.domain}`))).toEqual(found);
  expect(succeed(await methods(`NoBody@${a.domain.toUpperCase()}`))).toEqual(found);
  for (const other of [
    `nobody@sub.${a.domain}`,
    `nobody@${a.domain}.`,
    'nobody@elsewhere.example',
    'nonsense',
  ])
    expect(succeed(await methods(other))).toEqual({ connection: null });
  const verified = (at: string) =>
    service.sql(`update identity_domain set verified_at = ${at} where connection_id = $1`, [a.uuid]);
  const verify = () => verified('now()');
  for (const [change, undo] of [
    [() => verified('null'), verify],
    [() => set(a, 'enabled = false'), () => set(a, 'enabled = true')],
  ] as const) {
    await change();
    expect(succeed(await methods(`nobody@${a.domain}`))).toEqual({ connection: null });
    if (undo !== verify) {
      const byId = { connection_id: a.connection };
      await expectCode('not_found', service.post('/api/auth/sign-in/connection', byId, null));
    }
    await undo();
  }
  const left = await travel.leave('/api/auth/sign-in/connection', { email: `ann@${a.domain}` });
  const query = new URL(left.url).searchParams;
  expect(left.url.startsWith(a.oidc.issuer)).toBe(true);
  expect([query.get('code_challenge_method'), query.get('scope')]).toEqual(['S256', 'openid email profile']);
  expect(query.get('nonce')).not.toBeNull();
});

it('K11, K14: a new member signs in, and the session has the proof of this partner alone', async () => {
  const { token, user } = await newcomer(a);
  expect(user.name).toMatch(/^Name of/);
  const [proof] = await service.sql(
    `select partner_id, made.connection_id from session_proof join connection_session made using (session_id)
     join auth.session on id = session_id where user_id = $1`,
    [user.id],
  );
  expect(proof).toEqual({ partner_id: a.partnerId, connection_id: a.uuid });
  await service.sql('update partner set sso_required = true where id = any ($1)', [
    [a.partnerId, b.partnerId],
  ]);
  await cast.join(b.partner, { ...user, token });
  await expectStatus(403, service.get(`/partners/${b.partner}`, token));
  await service.sql('update partner set sso_required = false where id = any ($1)', [
    [a.partnerId, b.partnerId],
  ]);
  expect((await service.get('/me/agreements', token)).body).toHaveLength(2);
});

it('K12: a provider speaks only for its own verified domains, verified claim or not', async () => {
  for (const claims of [{}, { email_verified: true }]) {
    const victim = await newcomer(a);
    travel.person(b, victim.email, claims);
    expect(await refusedSignIn(b, victim.email)).toEqual([400, 'provider_refused']);
  }
  for (const email of [
    `ann@sub.${a.domain}`,
    `ann@${a.domain}.evil.example`,
    `ann@evil.example@${a.domain}`,
    '',
  ])
    expect(await refusedSignIn(a, travel.person(a, email, {}, `odd ${email}`))).toEqual([
      400,
      'provider_refused',
    ]);
  const unverified = travel.person(a, addressIn(a), { email_verified: false });
  expect(await refusedSignIn(a, unverified)).toEqual([400, 'provider_refused']);
  await service.sql('update identity_domain set lost_at = now() where connection_id = $1', [a.uuid]);
  expect(await refusedSignIn(a, travel.person(a, addressIn(a)))).toEqual([400, 'provider_refused']);
  await service.sql('update identity_domain set lost_at = null where connection_id = $1', [a.uuid]);
});

it('K13: a linked person stays who they are; another address at the provider is refused', async () => {
  const { email, user } = await newcomer(a);
  expect(succeed(await travel.signIn(a, email)).user.id).toBe(user.id);
  travel.person(a, email.toUpperCase(), {}, email);
  expect(succeed(await travel.signIn(a, email)).user.id).toBe(user.id);
  travel.person(a, addressIn(a), {}, email);
  expect(await refusedSignIn(a, email)).toEqual([400, 'provider_refused']);
});

it('K13: unverified, banned and deleted accounts are not taken over', async () => {
  const unverified = await cast.user({ verified: false });
  const email = addressIn(a);
  await cast.set(unverified.id, { email });
  expect(await refusedSignIn(a, travel.person(a, email))).toEqual([403, 'email_not_verified']);
  const banned = await newcomer(a);
  await cast.set(banned.user.id, { banned: true });
  expect(await refusedSignIn(a, banned.email)).toEqual([403, 'banned']);
  const gone = await newcomer(a);
  await expectStatus(204, service.remove(`/users/${gone.user.id}`));
  expect(succeed(await travel.signIn(a, gone.email)).user.id).not.toBe(gone.user.id);
});

it('K13: a second factor is asked for here, and the proof waits for it', async () => {
  const { id, code } = await createEnrolment(service).enrol();
  const email = travel.person(a, addressIn(a));
  await cast.set(id, { email });
  await link(a.uuid, id, email);
  const { twoFactorToken, token } = succeed(await travel.signIn(a, email));
  expect(token).toBeUndefined();
  const verify = (given: string) =>
    service.post('/api/auth/two-factor/verify-totp', { code: given, twoFactorToken }, null);
  await expectCode('invalid_code', verify('000000'));
  const claims = () => service.sql('select kind from identity_claim where user_id = $1', [id]);
  expect(await claims()).toEqual([{ kind: 'challenge' }]);
  const session = succeed(await verify(code(0))).token;
  expect(await claims()).toEqual([]);
  await service.sql('update partner set sso_required = true where id = $1', [a.partnerId]);
  await expectCode('forbidden', service.get(`/partners/${a.partner}/agreements`, session));
  await expectCode('sso_required', service.get(`/partners/${a.partner}/agreements`, await cast.session(id)));
  await service.sql('update partner set sso_required = false where id = $1', [a.partnerId]);
});

it('K14: where the connection admits nobody, only provisioned people get an account', async () => {
  await set(a, 'admits_new_members = false');
  const email = travel.person(a, addressIn(a));
  expect(await refusedSignIn(a, email)).toEqual([403, 'membership_refused']);
  const { id } = succeed(await cast.invite(a.partner, email));
  expect(await refusedSignIn(a, email)).toEqual([403, 'membership_refused']);
  await service.sql('update agreement set connection_id = $1 where email = $2', [a.uuid, email]);
  const { token } = succeed(await travel.signIn(a, email));
  expect((await service.get('/me/agreements', token)).body).toMatchObject([{ id, accepted: true }]);
  await set(a, 'admits_new_members = true');
});

it('K19: an account of the address is linked after proof of both', async () => {
  const person = await service.signInStranger();
  const email = addressIn(a);
  await cast.set(person.id, { email });
  travel.person(a, email);
  const { linkCode, token } = succeed(await travel.signIn(a, email));
  expect(token).toBeUndefined();
  const link = (bearer: string | null, code = linkCode) =>
    service.post('/api/auth/connections/link', { code }, bearer);
  await expectCode('invalid_token', link((await cast.user()).token));
  const expires = (at: string) => service.sql(`update identity_claim set expires_at = ${at}`);
  await expires('now()');
  await expectCode('invalid_token', link(person.token));
  await expires(`now() + interval '10 minutes'`);
  await service.sql(`update auth.session set proven_at = now() - interval '11 minutes' where user_id = $1`, [
    person.id,
  ]);
  await expectCode('step_up_required', link(person.token));
  const session = await cast.session(person.id);
  expect(succeed(await link(session))).toEqual({ proved: a.partner });
  expect((await service.get('/me/agreements', session)).body).toMatchObject([{ accepted: true }]);
  await expectCode('invalid_token', link(session));
  expect(succeed(await travel.signIn(a, email)).user.id).toBe(person.id);
  // A member who proves the partner for the first time gets a code, too.
  const member = await cast.member(a.partner);
  const own = travel.person(a, addressIn(a));
  await cast.set(member.id, { email: own });
  const proof = succeed(await travel.prove(a, own, member));
  expect(succeed(await link(member.token, proof.linkCode))).toEqual({ proved: a.partner });
});

it('K15: a session proves another partner, with the account that is linked there', async () => {
  const { email, user, token } = await newcomer(a);
  const member = { email, id: user.id, token };
  await service.sql('delete from session_proof');
  await service.sql('update partner set sso_required = true where id = $1', [a.partnerId]);
  const read = async () => codeOf(await service.get(`/partners/${a.partner}/agreements`, token));
  const other = travel.person(a, addressIn(a));
  await expectCode('provider_refused', travel.prove(a, other, member));
  travel.person(a, addressIn(a), {}, email);
  await expectCode('provider_refused', travel.prove(a, email, member));
  travel.person(a, email);
  // A proof that is too old is replaced.
  for (const age of ['0', '1 day']) {
    await service.sql('update session_proof set proved_at = now() - $1::interval', [age]);
    expect(await read()).toEqual([403, 'sso_required']);
    expect(succeed(await travel.prove(a, email, member))).toEqual({ proved: a.partner });
    expect(await read()).toEqual([403, 'forbidden']);
  }
  const hidden = { partner_id: b.partner };
  await expectCode('not_found', service.post('/api/auth/connections/prove', hidden, token));
  await cast.join(b.partner, member);
  // Of the others of the partner, one is off, and another person is linked to one.
  await link(b.uuid, member.id);
  for (const [place, enabled, userId] of [
    ['1', false, member.id],
    ['2', true, (await cast.user()).id],
  ] as const) {
    const first = `00000000-0000-0000-0000-00000000000${place}`;
    await service.sql(
      `insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret, enabled, tested_at)
       values ($1, $2, 'Other', 'https://other.example', 'c', 'client_secret_basic', '', $3, now())`,
      [first, b.partnerId, enabled],
    );
    await link(first, userId);
  }
  const { url } = await travel.leave('/api/auth/connections/prove', hidden, token);
  expect(url.startsWith(b.oidc.issuer)).toBe(true);
  await service.sql('update partner set sso_required = false where id = $1', [a.partnerId]);
});

const one = () => `/partners/${a.partner}/connections/${a.connection}`;
const untested = () => service.sql('update identity_connection set enabled = false, tested_at = null');

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
    await expectCode('provider_refused', comeBack());
  }
  const late = await test(a.owner.token);
  await service.sql('update identity_connection set revision = revision + 1');
  await expectCode('provider_refused', late());
  expect((await service.get(one(), a.owner.token)).body.tested_at).toBeNull();
});

it('K12: an owner who tests a connection reads what the provider refuses; others do not', async () => {
  const secret = (client_secret: string) => service.patch(one(), { client_secret }, a.owner.token);
  const said = async (come: PromiseLike<Response>) => {
    const { status, body } = await come;
    return [status, body.code, body.message];
  };
  const refused = 'The provider did not sign you in, or its account cannot be linked.';
  await set(a, 'enabled = true, tested_at = now()');
  succeed(await secret('another secret'));
  const wrong = await test(a.owner.token);
  expect(await said(wrong())).toEqual([
    400,
    'provider_refused',
    'The provider cannot be used: invalid_client: client authentication failed',
  ]);
  expect(await said(travel.signIn(a, `tester@${a.domain}`))).toEqual([400, 'provider_refused', refused]);
  succeed(await secret('the secret of concord'));
  for (const [leave, message] of [
    [
      () => travel.leave(`${one()}/test`, undefined, a.owner.token),
      'The provider cannot be used: access_denied: AADSTS50105: Not assigned. Trace: 1',
    ],
    [() => travel.start(a), refused],
  ] as const) {
    const { url, cookie } = await leave();
    const query = new URLSearchParams({
      state: new URL(url).searchParams.get('state') ?? '',
      error: 'access_denied',
      error_description: 'AADSTS50105: Not assigned.\r\nTrace: 1',
      iss: a.oidc.issuer,
    });
    expect(await said(travel.comeBack(new URL(`${a.callback}?${query}`), cookie))).toEqual([
      400,
      'provider_refused',
      message,
    ]);
  }
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

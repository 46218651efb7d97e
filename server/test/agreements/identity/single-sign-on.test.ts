// Agreements that work only in sessions that an identity provider of the partner proved.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  acl,
  expectCode,
  expectStatus,
  type Member,
  may,
  type Player,
  pluck,
  succeed,
  useCast,
  uuidOf,
} from '../../stage/cast.ts';
import { newEmail } from '../../stage/start-service.ts';

const { service, cast } = useCast();
let partner: string;
let member: Member;

beforeAll(async () => {
  partner = await cast.partner();
  member = await cast.member(partner, may('*'));
  await service.sql('update partner set sso_required = true where id = $1', [uuidOf(partner)]);
});

/** As a sign-in by a connection of the partner leaves it behind, `ageSeconds` later. */
async function prove(of: string, userId: string, ageSeconds: number) {
  const [connectionId, partnerId] = [randomUUID(), uuidOf(of)];
  await service.sql(
    `insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret)
     values ($1, $2, 'Directory', 'https://login.example', 'c', 'client_secret_basic', '')`,
    [connectionId, partnerId],
  );
  await service.sql(
    `insert into session_proof (session_id, partner_id, connection_id, proved_at, subject)
     select id, $1, $2, concord_now() - make_interval(secs => $3), 'sub' from auth.session where user_id = $4`,
    [partnerId, connectionId, ageSeconds, userId],
  );
}
const read = (token: string) => service.get(`/partners/${partner}`, token);
const required = (token: string) =>
  expect(read(token)).resolves.toMatchObject({ status: 403, body: { code: 'sso_required' } });

it('K10: it works only with a proof of this partner, as long as the partner says', async () => {
  await required(member.token);
  const other = await cast.partner();
  await cast.join(other, member);
  const old = await cast.member(partner, may('*'));
  await service.setClock(new Date().toISOString());
  await prove(other, member.id, 0);
  await required(member.token);
  await prove(partner, member.id, 43_199);
  await expectStatus(200, read(member.token));
  await prove(partner, old.id, 43_200);
  await required(old.token);
  await service.advanceClock(0);
});

it('K10: one agreement can require it; deleting the connection ends what it proved', async () => {
  const [alone, person] = [await cast.partner(), await cast.user()];
  const { id } = await cast.join(alone, person, may('*'));
  const status = async () => (await service.get(`/partners/${alone}`, person.token)).status;
  expect(await status()).toBe(200);
  await service.sql('update agreement set sso_required = true where id = $1', [uuidOf(id)]);
  expect(await status()).toBe(403);
  await prove(alone, person.id, 0);
  expect(await status()).toBe(200);
  await service.sql('delete from identity_connection where partner_id = $1', [uuidOf(alone)]);
  expect(await status()).toBe(403);
});

it('K10: without it, members read and leave their own agreement, and find the partner in no list', async () => {
  const other = await cast.member(partner, may('*'));
  const own = `/partners/${partner}/agreements/${other.agreement}`;
  await expectStatus(200, service.get(own, other.token));
  await expectStatus(403, service.patch(own, { expires_at: null }, other.token));
  expect(pluck(succeed(await service.get('/partners', other.token)), 'id')).not.toContain(partner);
  await prove(partner, other.id, 0);
  expect(pluck(succeed(await service.get('/partners', other.token)), 'id')).toContain(partner);
  await expectStatus(204, service.remove(own, other.token));
});

it('K10: tokens of persons prove no sign-in; service accounts and operators need none', async () => {
  const person = await cast.member(partner, may('*'));
  await prove(partner, person.id, 0);
  const within = `/partners/${partner}/service-accounts`;
  const robot = succeed(await service.post(within, { name: 'robot' }));
  const { agreement_id: agreement } = robot;
  succeed(await cast.change(partner, agreement, may('*')));
  const made = { name: 'a program', scopes: [acl('*')], expires_at: null };
  const { token } = succeed(await service.post(`${within}/${robot.id}/access-tokens`, made));
  await expectStatus(200, read(token));
  await required(await cast.accessToken(person, [acl('*')]));
  await expectStatus(200, read(service.operatorToken));
});

it('K10: questions by the standard: callers with their own proof, others as if they had every proof', async () => {
  const [asker, other] = [await cast.member(partner, may('*')), await cast.member(partner, may('*'))];
  const ask = (id: string) =>
    service.post(
      '/access/v1/evaluation',
      {
        subject: { type: 'user', id },
        resource: { type: 'partner', id: partner },
        action: { name: 'get' },
      },
      asker.token,
    );
  expect((await ask(asker.id)).body).toMatchObject({ decision: false, context: { reason: 'sso_required' } });
  await prove(partner, asker.id, 0);
  expect((await ask(asker.id)).body).toMatchObject({ decision: true });
  expect((await ask(other.id)).body).toMatchObject({ decision: true });
});

const requireOf = (agreement: string) =>
  service.sql('update agreement set sso_required = true where id = $1', [uuidOf(agreement)]);
const bound = async (agreement: string): Promise<boolean> =>
  (await service.sql('select sso_required from agreement where id = $1', [uuidOf(agreement)]))[0]
    .sso_required;

it('K10: without it, nobody reads what others answered to their access requests, and withdraws them', async () => {
  const alone = await cast.partner();
  const asker = await cast.member(alone);
  const within = `/partners/${alone}/access-requests`;
  const body = { permissions: ['deliveries.query'], duration_seconds: 60, reason: 'A lost order.' };
  const [denied, waiting] = [
    succeed(await service.post(within, body, asker.token)),
    succeed(await service.post(within, { ...body, permissions: ['deliveries.get'] }, asker.token)),
  ];
  succeed(await service.post(`${within}/${denied.id}/deny`, { note: 'The invoice of Acme is disputed.' }));
  await requireOf(asker.agreement);
  const one = `${within}/${denied.id}`;
  await expectCode('sso_required', service.get(one, asker.token));
  await expectCode('sso_required', service.get(within, asker.token));
  await expectStatus(
    200,
    service.request('POST', `${within}/${waiting.id}/withdraw`, { token: asker.token }),
  );
  await prove(alone, asker.id, 0);
  expect(succeed(await service.get(one, asker.token)).note).toContain('Acme');
});

it('K10: who is bound invites only people who are bound; another invitation does not lift it', async () => {
  const alone = await cast.partner();
  const admin = await cast.member(alone, may('*'));
  const free = await cast.member(alone, may('*'));
  const owner = await cast.owner(alone);
  for (const { agreement } of [admin, owner]) await requireOf(agreement);
  for (const { id } of [admin, owner]) await prove(alone, id, 0);
  const invite = async (by: Player, { email } = { email: newEmail() }) =>
    succeed(await service.post(`/partners/${alone}/agreements`, { email }, by.token));
  expect(await bound((await invite(admin)).id)).toBe(true);
  expect(await bound((await invite(free)).id)).toBe(false);
  // Owners decide themselves.
  expect(await bound((await invite(owner)).id)).toBe(false);

  const left = await cast.member(alone);
  await requireOf(left.agreement);
  const past = new Date(Date.now() - 1_000).toISOString();
  succeed(await cast.change(alone, left.agreement, { expires_at: past }));
  const { id } = await invite(free, left);
  expect(await bound(id)).toBe(true);

  // The same by another address, which the account has by now.
  const moved = await cast.member(alone);
  await requireOf(moved.agreement);
  succeed(await cast.change(alone, moved.agreement, { expires_at: past }));
  const email = newEmail();
  await cast.set(moved.id, { email });
  const again = await invite(free, { email });
  succeed(await service.patch(`/partners/${alone}/agreements/${again.id}`, { accepted: true }, moved.token));
  expect(await bound(again.id)).toBe(true);
});

it('K10: neither a kept answer nor an ETag comes without the proof', async () => {
  const alone = await cast.partner();
  const admin = await cast.member(alone, may('*'));
  await requireOf(admin.agreement);
  await prove(alone, admin.id, 0);
  const headers = { 'idempotency-key': randomUUID() };
  const create = () =>
    service.request('POST', `/partners/${alone}/acl-permission-groups`, {
      token: admin.token,
      headers,
      body: { name: 'Buyers', acl_permissions: [] },
    });
  const publish = () =>
    service.request('POST', `/partners/${alone}/events`, {
      token: admin.token,
      headers,
      body: { events: [{ type: 'stock.changed', data: {} }] },
    });
  succeed(await create());
  const first = await publish();
  const { headers: tagged } = await service.get(`/partners/${alone}`, admin.token);
  await service.sql('delete from session_proof where partner_id = $1', [uuidOf(alone)]);
  await expectCode('sso_required', create());
  expect([first.status < 500, (await publish()).body.code]).toEqual([true, 'sso_required']);
  const conditional = await service.request('GET', `/partners/${alone}`, {
    token: admin.token,
    headers: { 'if-none-match': String(tagged.etag) },
  });
  expect([conditional.status, conditional.body.code]).toEqual([403, 'sso_required']);
});

it('K17: break glass opens one partner in one session, and ends when its owner is no owner any more', async () => {
  const [alone, other] = [await cast.partner(), await cast.partner()];
  const owners = [await cast.owner(alone), await cast.owner(alone)] as const;
  const [{ id, token, agreement }] = owners;
  await cast.join(other, owners[0], { owner: true });
  for (const each of [alone, other])
    await service.sql('update partner set sso_required = true where id = $1', [uuidOf(each)]);
  // As the use of break glass leaves it behind.
  await service.sql(
    `insert into break_glass (session_id, partner_id, ends_at) select id, $1, now() + interval '1 hour' from auth.session where user_id = $2`,
    [uuidOf(alone), id],
  );
  const status = async (partner = alone, session = token) =>
    (await service.get(`/partners/${partner}`, session)).status;
  expect([await status(), await status(other), await status(alone, await cast.session(id))]).toEqual([
    200, 403, 403,
  ]);
  succeed(await cast.change(alone, agreement, { owner: false, ...may('*') }));
  expect(await status()).toBe(403);
});

// The audit log: every change writes a row in its own transaction. A request that gets a hidden answer writes none.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acl, type Cast, createCast, type Player, succeed } from './cast.ts';
import { createEnrolment, password } from './enrolment.ts';
import { startTestService, type TestService } from './start-service.ts';

let service: TestService;
let cast: Cast;
let partner: string;
let owner: Player & { agreement: string };
beforeAll(async () => {
  service = await startTestService();
  cast = createCast(service);
  partner = await cast.partner();
  owner = await cast.member(partner, { owner: true });
});
afterAll(() => service.stop());

type Row = {
  action: string;
  outcome: string;
  actor_id: string;
  target: string;
  request_id: string;
  partner_id: string;
  details: object;
};
const rows = (): Promise<Row[]> => service.database.sql('select * from audit_log order by position');
const send = (method: string, path: string, body?: object, token = owner.token) =>
  service.request(method, path, { token, ...(body && { body }) });

/** The rows that are written while `work` runs. */
async function during(work: () => Promise<unknown>): Promise<Row[]> {
  const before = (await rows()).length;
  await work();
  return (await rows()).slice(before);
}
const actionsOf = (written: Row[]) =>
  written.map(({ action, outcome }) => (outcome === 'done' ? action : `${action} ${outcome}`));

it('U1: every change to a partner or to its objects writes one row', async () => {
  const within = `/partners/${partner}`;
  const written = await during(async () => {
    succeed(await send('PATCH', within, { phone: '1', website: 'w' }));
    const { id } = succeed(await send('POST', `${within}/agreements`, { email: 'a@concord.test' }));
    succeed(await send('PATCH', `${within}/agreements/${id}`, { mfa_required: true, acl_permissions: [acl('events', 'get')] }));
    succeed(await send('POST', `${within}/agreements/${id}/resend`));
    succeed(await send('DELETE', `${within}/agreements/${id}`));
    const group = succeed(await send('POST', `${within}/acl-permission-groups`, { name: 'g', acl_permissions: [] })).id;
    succeed(await send('PATCH', `${within}/acl-permission-groups/${group}`, { name: 'h' }));
    succeed(await send('PUT', `${within}/acl-permission-groups/default`, { acl_permission_group_id: group }));
    succeed(await send('DELETE', `${within}/acl-permission-groups/${group}`));
    const robot = succeed(await send('POST', `${within}/service-accounts`, { name: 'r' })).id;
    const token = succeed(await send('POST', `${within}/service-accounts/${robot}/access-tokens`, { name: 't', scopes: [] })).id;
    succeed(await send('DELETE', `${within}/service-accounts/${robot}/access-tokens/${token}`));
    succeed(await send('DELETE', `${within}/service-accounts/${robot}`));
    succeed(await send('DELETE', within));
    succeed(await send('POST', `${within}/restore`, undefined, service.operatorToken));
  });
  expect(actionsOf(written)).toEqual([
    ...['partner.update', 'agreement.create', 'agreement.update', 'agreement.resend', 'agreement.delete'],
    ...[
      'acl_permission_group.create',
      'acl_permission_group.update',
      'acl_permission_group.set_default',
      'acl_permission_group.delete',
    ],
    ...[
      'service_account.create',
      'access_token.create',
      'access_token.revoke',
      'service_account.delete',
      'partner.delete',
      'partner.restore',
    ],
  ]);
  expect(new Set(written.map(({ partner_id }) => partner_id)).size).toBe(1);
  expect(written.slice(0, -1).every(({ actor_id }) => actor_id === owner.id)).toBe(true);
  expect(written[0]?.details).toEqual({ members: ['phone', 'website'] });
  expect(written[2]?.details).toEqual({
    mfa_required: { from: false, to: true },
    acl_permissions: { from: [], to: [acl('events', 'get')] },
  });
});

it('U1: a request that changes nothing or is refused writes no row; a row has the id of its request', async () => {
  const within = `/partners/${partner}`;
  const none = await during(async () => {
    await send('PATCH', within, { phone: '1' });
    await send('PATCH', `${within}/agreements/${owner.agreement}`, {});
    await send('POST', `${within}/agreements`, { email: owner.email });
    await send('DELETE', `${within}/agreements/${owner.agreement}`);
  });
  expect(none).toEqual([]);
  const key = { 'idempotency-key': 'audit' };
  const invite = () =>
    service.request('POST', `${within}/agreements`, { token: owner.token, body: { email: 'b@concord.test' }, headers: key });
  let requestId = '';
  const written = await during(async () => {
    requestId = String((await invite()).headers['x-request-id']);
    await invite();
  });
  expect(written).toMatchObject([{ action: 'agreement.create', request_id: requestId }]);
});

it('U2: rows cannot be changed; e-mails are in another table and can be erased', async () => {
  const { sql } = service.database;
  for (const statement of [`update audit_log set action = 'x'`, 'delete from audit_log', 'truncate audit_log'])
    await expect(sql(statement)).rejects.toThrow('the audit log is append-only');
  expect(JSON.stringify(await rows())).not.toContain('@');
  const invited = await sql(
    `select email from audit_log join audit_person on audit_person.id = person_id where action = 'agreement.create'`,
  );
  expect(invited.map(({ email }) => email)).toContain('b@concord.test');
  await sql('update audit_person set email = null');
});

it('U1: the log records ten denied attempts of a member per minute, and no hidden attempts', async () => {
  const member = await cast.member(partner);
  const stranger = await cast.user();
  const before = (await rows()).length;
  for (let i = 0; i < 15; i++) {
    expect((await send('DELETE', `/partners/${partner}`, undefined, member.token)).status).toBe(403);
    expect((await send('DELETE', `/partners/${partner}`, undefined, stranger.token)).status).toBe(404);
  }
  const denied = async () => (await rows()).slice(before);
  await expect.poll(async () => (await denied()).length).toBe(10);
  // A last attempt: once its row is written, all earlier rows are written too.
  const last = await cast.member(partner);
  await send('GET', `/partners/${partner}`, undefined, last.token);
  await expect.poll(async () => (await denied()).at(-1)).toMatchObject({ actor_id: last.id, outcome: 'denied' });
  const written = (await denied()).filter(({ outcome }) => outcome === 'denied');
  expect(written).toHaveLength(11);
  expect(written[0]).toMatchObject({ action: 'partner.delete', actor_id: member.id, details: { code: 'forbidden' } });
});

it('U1: a refused grant is a denied attempt too, with the object in the path as its target', async () => {
  const member = await cast.member(partner, { acl_permissions: [acl('agreements')] });
  const target = await cast.member(partner);
  const path = `/partners/${partner}/agreements/${target.agreement}`;
  expect((await send('PATCH', path, { acl_permissions: [acl('*')] }, member.token)).status).toBe(403);
  await expect
    .poll(async () => (await rows()).at(-1))
    .toMatchObject({ action: 'agreements.patch', outcome: 'denied', actor_id: member.id, target: target.agreement });
});

it('U1: the log records replaced agreements and ?orphan=true, and records a replayed request once', async () => {
  const at = await cast.partner();
  const only = await cast.member(at, { owner: true });
  const path = `/partners/${at}/agreements/${only.agreement}`;
  const written = await during(async () => {
    await service.request('PATCH', `${path}?orphan=true`, { body: { expires_at: '2020-01-01T00:00:00Z' } });
    succeed(await cast.invite(at, only.email));
    const ban = () => service.request('POST', `/users/${only.id}/ban`, { body: {}, headers: { 'idempotency-key': 'ban' } });
    succeed(await ban());
    succeed(await ban());
  });
  expect(actionsOf(written)).toEqual(['agreement.update', 'agreement.replace', 'agreement.create', 'user.ban']);
  expect([written[0]?.details, written[1]?.target]).toEqual([expect.objectContaining({ orphan: true }), only.agreement]);
});

it('U1: a change is not logged as failed when the row of its success cannot be written', async () => {
  const token = await service.signInStranger();
  const { sql } = service.database;
  const [{ user_id: id }] = (await sql(`select user_id from auth.session where token = encode(sha256($1), 'hex')`, [token])) as [
    { user_id: string },
  ];
  await sql(`create function refuse_done() returns trigger language plpgsql as
    'begin if new.outcome = ''done'' then raise exception ''away''; end if; return new; end'`);
  await sql('create trigger refuse_done before insert on audit_log for each row execute function refuse_done()');
  const answer = await service.request('POST', '/api/auth/revoke-other-sessions', { token, body: {} });
  await sql('drop trigger refuse_done on audit_log');
  expect(answer.status).toBe(500);
  expect(actionsOf((await rows()).filter((row) => row.actor_id === id))).toEqual(['account.revoke_other_sessions intended']);
});

it('U1: an account change writes a row for the intent and a row for the outcome', async () => {
  const { post, enrol } = createEnrolment(service);
  const user = await enrol();
  const written = await during(async () => {
    await post('two-factor/generate-backup-codes', user.token, { password: 'wrong' });
    await post('two-factor/generate-backup-codes', user.token, { password });
    await post('revoke-other-sessions', user.token, {});
    await post('delete-user', user.token, { password });
  });
  expect(actionsOf(written)).toEqual([
    ...['account.generate_backup_codes intended', 'account.generate_backup_codes failed'],
    ...['account.generate_backup_codes intended', 'account.generate_backup_codes'],
    ...['account.revoke_other_sessions intended', 'account.revoke_other_sessions', 'account.delete intended', 'account.delete'],
  ]);
});

it('U1: each change that an operator makes to a user writes one row', async () => {
  const { id } = await cast.user();
  const written = await during(async () => {
    succeed(await service.request('POST', `/users/${id}/ban`, { body: {} }));
    succeed(await service.request('POST', `/users/${id}/unban`));
    succeed(await service.request('PUT', `/users/${id}/role`, { body: { role: 'user' } }));
    succeed(await service.request('DELETE', `/users/${id}`));
  });
  expect(actionsOf(written)).toEqual(['user.ban', 'user.unban', 'user.set_role', 'user.delete']);
  expect(written.every(({ target }) => target === id)).toBe(true);
});

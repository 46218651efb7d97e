// The audit log: every change writes a row in its own transaction.
import { beforeAll, describe, expect, it } from 'vitest';
import { acl, expectStatus, hasEnded, type Member, may, succeed, useCast, uuidOf } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { newDataDir, runCommand } from '../stage/launch.ts';
import { openService, secrets } from '../stage/start-service.ts';

let partner: string;
let owner: Member;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
});

type Row = {
  action: string;
  outcome: string;
  actor_id: string;
  target: string;
  request_id: string;
  partner_id: string;
  details: object;
  changes: object;
};
const rows = (): Promise<Row[]> => service.sql('select * from audit_log order by position');
const send = (method: string, path: string, body?: object, token = owner.token) =>
  service.request(method, path, { token, body });

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
    succeed(
      await send('PATCH', `${within}/agreements/${id}`, {
        mfa_required: true,
        ...may('events', 'get'),
      }),
    );
    succeed(await send('POST', `${within}/agreements/${id}/resend`));
    succeed(await send('DELETE', `${within}/agreements/${id}`));
    const group = succeed(
      await send('POST', `${within}/acl-permission-groups`, { name: 'g', acl_permissions: [] }),
    ).id;
    succeed(await send('PATCH', `${within}/acl-permission-groups/${group}`, { name: 'h' }));
    succeed(await send('PUT', `${within}/acl-permission-groups/default`, { acl_permission_group_id: group }));
    succeed(await send('DELETE', `${within}/acl-permission-groups/${group}`));
    const robot = succeed(await send('POST', `${within}/service-accounts`, { name: 'r' })).id;
    const token = succeed(
      await send('POST', `${within}/service-accounts/${robot}/access-tokens`, { name: 't', scopes: [] }),
    ).id;
    succeed(await send('DELETE', `${within}/service-accounts/${robot}/access-tokens/${token}`));
    succeed(await send('DELETE', `${within}/service-accounts/${robot}`));
    succeed(await send('DELETE', within));
    succeed(await send('POST', `${within}/restore`, undefined, service.operatorToken));
  });
  expect(actionsOf(written)).toEqual([
    'partner.update',
    'agreement.create',
    'agreement.update',
    'agreement.resend',
    'agreement.delete',
    'acl_permission_group.create',
    'acl_permission_group.update',
    'acl_permission_group.set_default',
    'acl_permission_group.delete',
    'service_account.create',
    'access_token.create',
    'access_token.revoke',
    'service_account.delete',
    'partner.delete',
    'partner.restore',
  ]);
  expect(new Set(written.map(({ partner_id }) => partner_id)).size).toBe(1);
  expect(written.slice(0, -1).every(({ actor_id }) => actor_id === owner.id)).toBe(true);
  // The phone number is personal.
  expect(written[0]?.changes).toEqual({ website: { before: null, after: 'w' } });
  expect(written[2]?.changes).toEqual({
    mfa_required: { before: false, after: true },
    acl_permissions: { before: [], after: [acl('events', 'get')] },
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
    service.request('POST', `${within}/agreements`, {
      token: owner.token,
      body: { email: 'b@concord.test' },
      headers: key,
    });
  let requestId = '';
  const written = await during(async () => {
    requestId = String((await invite()).headers['x-request-id']);
    await invite();
  });
  expect(written).toMatchObject([{ action: 'agreement.create', request_id: requestId }]);
});

it('U2: rows cannot be changed; e-mails are in another table and can be erased', async () => {
  const { sql } = service;
  for (const statement of [
    `update audit_log set action = 'x'`,
    'delete from audit_log',
    'truncate audit_log cascade',
  ])
    await expect(sql(statement)).rejects.toThrow('the audit log is append-only');
  expect(JSON.stringify(await rows())).not.toContain('@');
  const invited = await sql(
    `select personal ->> 'email' as email from audit_log join audit_person using (position) where action = 'agreement.create' and part = 'person'`,
  );
  expect(invited.map(({ email }) => email)).toContain('b@concord.test');
  await sql(`delete from audit_person where part = 'person'`);
});

it('U1: the log records ten denied attempts of a member per minute, and no hidden attempts', async () => {
  const member = await cast.member(partner);
  const stranger = await cast.user();
  const before = (await rows()).length;
  for (let i = 0; i < 15; i++) {
    await expectStatus(403, send('DELETE', `/partners/${partner}`, undefined, member.token));
    await expectStatus(404, send('DELETE', `/partners/${partner}`, undefined, stranger.token));
  }
  const denied = async () => (await rows()).slice(before);
  await expect.poll(async () => (await denied()).length).toBe(10);
  // A last attempt: once its row is written, all earlier rows are written too.
  const last = await cast.member(partner);
  await send('GET', `/partners/${partner}`, undefined, last.token);
  await expect
    .poll(async () => (await denied()).at(-1))
    .toMatchObject({ actor_id: last.id, outcome: 'denied' });
  const written = (await denied()).filter(({ outcome }) => outcome === 'denied');
  expect(written).toHaveLength(11);
  expect(written[0]).toMatchObject({
    action: 'partner.delete',
    actor_id: member.id,
    details: { code: 'forbidden' },
  });
});

it('U1: a refused grant is a denied attempt too, with the object in the path as its target', async () => {
  const member = await cast.member(partner, may('agreements'));
  const target = await cast.member(partner);
  const path = `/partners/${partner}/agreements/${target.agreement}`;
  await expectStatus(403, send('PATCH', path, may('*'), member.token));
  await expect
    .poll(async () => (await rows()).at(-1))
    .toMatchObject({
      action: 'agreements.patch',
      outcome: 'denied',
      actor_id: member.id,
      target: target.agreement,
    });
});

it('U1: the log records replaced agreements and ?orphan=true, and records a replayed request once', async () => {
  const at = await cast.partner();
  const only = await cast.owner(at);
  const path = `/partners/${at}/agreements/${only.agreement}`;
  const written = await during(async () => {
    await service.patch(`${path}?orphan=true`, hasEnded);
    succeed(await cast.invite(at, only.email));
    const ban = () =>
      service.request('POST', `/users/${only.id}/ban`, { body: {}, headers: { 'idempotency-key': 'ban' } });
    succeed(await ban());
    succeed(await ban());
  });
  expect(actionsOf(written)).toEqual([
    'agreement.update',
    'agreement.replace',
    'agreement.create',
    'user.ban',
  ]);
  expect([written[0]?.details, written[1]?.target]).toEqual([
    expect.objectContaining({ orphan: true }),
    only.agreement,
  ]);
});

it('U1: a change is not logged as failed when the row of its success cannot be written', async () => {
  const { id, token } = await service.signInStranger(true);
  const { sql } = service;
  await sql(`create function refuse_done() returns trigger language plpgsql as
    'begin if new.outcome = ''done'' then raise exception ''away''; end if; return new; end'`);
  await sql(
    'create trigger refuse_done before insert on audit_log for each row execute function refuse_done()',
  );
  const answer = await service.post('/api/auth/revoke-other-sessions', {}, token);
  await sql('drop trigger refuse_done on audit_log');
  expect(answer.status).toBe(500);
  const written = (await rows()).filter((row) => row.actor_id === id);
  expect(actionsOf(written)).toEqual(['account.sign_in', 'account.revoke_other_sessions intended']);
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
    'account.generate_backup_codes intended',
    'account.generate_backup_codes failed',
    'account.generate_backup_codes intended',
    'account.generate_backup_codes',
    'account.revoke_other_sessions intended',
    'account.revoke_other_sessions',
    'account.delete intended',
    'account.delete',
  ]);
});

it('U1: each change that an operator makes to a user writes one row', async () => {
  const { id } = await cast.user();
  const written = await during(async () => {
    succeed(await service.post(`/users/${id}/ban`, {}));
    succeed(await service.post(`/users/${id}/unban`));
    succeed(await service.put(`/users/${id}/role`, { role: 'user' }));
    succeed(await service.remove(`/users/${id}`));
  });
  expect(actionsOf(written)).toEqual(['user.ban', 'user.unban', 'user.set_role', 'user.delete']);
  expect(written.every(({ target }) => target === id)).toBe(true);
});

describe('sign-ins', () => {
  type SignIn = {
    details: object;
    outcome: string;
    actor_id: string;
    credential: string;
    address: string;
    request_id: string;
  };
  const signIns = (userId: string): Promise<SignIn[]> =>
    service.sql(
      `select details, outcome, actor_id, credential, personal ->> 'address' as address, request_id from audit_log left join audit_person on audit_person.position = audit_log.position and part = 'address'
       where action = 'account.sign_in' and target = $1 order by audit_log.position`,
      [userId],
    );
  const idOf = async (email: string): Promise<string> =>
    (await service.sql(`select id from auth."user" where email = $1`, [email]))[0].id;

  it('U3: each session has a row with its id, the means and the address', async () => {
    const { post, enrol } = createEnrolment(service);
    const { email, challenge, code } = await enrol(true);
    const userId = await idOf(email);
    const by = async () => (await signIns(userId)).map(({ details }) => details);
    // The first session had no second factor yet. A challenge is not a session.
    const twoFactorToken = await challenge();
    expect(await by()).toEqual([{ by: 'password' }]);
    const proven = await post('two-factor/verify-totp', null, {
      code: code(0),
      twoFactorToken,
      trustDevice: true,
    });
    const { trustDeviceToken } = proven.body;
    const trusted = await post('sign-in/email', null, { email, password, trustDeviceToken });
    expect(await by()).toEqual([{ by: 'password' }, { by: 'totp' }, { by: 'trusted_device' }]);
    const last = (await signIns(userId)).at(-1);
    const sessions = await service.get('/api/auth/list-sessions', trusted.body.token);
    const current = sessions.body.find((session: { current: boolean }) => session.current);
    expect(last).toEqual({
      details: { by: 'trusted_device' },
      outcome: 'done',
      actor_id: userId,
      credential: `session ${current.id}`,
      address: '127.0.0.1',
      request_id: trusted.headers['x-request-id'],
    });
  });

  it('U3: no token leaves the process if its row cannot be written', async () => {
    const { sql } = service;
    const { email } = await service.signInStranger();
    await sql(
      `alter table audit_log add constraint no_sign_in check (action <> 'account.sign_in') not valid`,
    );
    const { status, text } = await service.post('/api/auth/sign-in/email', { email, password }, null);
    expect([status, text.includes('token')]).toEqual([500, false]);
    await sql('alter table audit_log drop constraint no_sign_in');
  });

  it('U3: refused sign-ins to a known account write at most ten rows', async () => {
    const guarded = await openService({
      CONCORD_RATE_LIMIT: '100000/10s',
      CONCORD_TRUSTED_PROXIES: '127.0.0.1',
    });
    const { post, enrol } = createEnrolment(guarded);
    const { email, challenge } = await enrol();
    const attempts = 11;
    for (let i = 0; i < attempts; i++) {
      const from = { 'x-forwarded-for': `203.0.113.${i}` };
      await expectStatus(401, post('sign-in/email', null, { email, password: 'a wrong password' }, from));
    }
    await post('sign-in/email', null, { email: 'nobody@concord.test', password: 'a wrong password' });
    const proof = { code: '000000', twoFactorToken: await challenge() };
    await expectStatus(401, post('two-factor/verify-totp', null, proof));
    const counted = () =>
      guarded.database
        .sql(`select requests from guard_count where key like 'failed-sign-in:%'`)
        .then((found) => found[0]?.requests);
    await expect.poll(counted).toBe(attempts + 1);
    const failed = await guarded.database.sql(
      `select actor_id, credential, details, personal ->> 'address' as address from audit_log left join audit_person on audit_person.position = audit_log.position and part = 'address'
       where outcome = 'failed' order by audit_log.position`,
    );
    expect(failed).toHaveLength(10);
    expect(failed[0]).toEqual({
      actor_id: 'unknown',
      credential: 'none ',
      details: { by: 'password' },
      address: '203.0.113.0',
    });
  });
});

it('U5: the log of each partner of a user shows that an operator banned, unbanned or deleted the user', async () => {
  const member = await cast.member(partner);
  const second = await cast.partner();
  await cast.join(second, member);
  const written = await during(async () => {
    succeed(await service.post(`/users/${member.id}/ban`, {}));
    succeed(await service.post(`/users/${member.id}/unban`));
    await service.remove(`/users/${member.id}`);
  });
  const bare = (id: string) =>
    written.filter(({ partner_id }) => partner_id === id).map(({ action }) => action);
  const partners = [...new Set(written.map(({ partner_id }) => partner_id))].filter((id) => id !== null);
  expect(partners.sort()).toEqual([uuidOf(partner), uuidOf(second)].sort());
  for (const id of partners) expect(bare(id)).toEqual(['user.ban', 'user.unban', 'user.delete']);
  expect(written.every(({ target, outcome }) => target === member.id && outcome === 'done')).toBe(true);
  expect(written).toHaveLength(9);
});

it('U4: commands write rows whose actor is the command line', async () => {
  const running = await openService();
  const { sql, url } = running.database;
  const environment = { DATABASE_URL: url, CONCORD_DATA_DIR: newDataDir(), CONCORD_SECRETS: secrets };
  const run = async (...args: string[]) => expect((await runCommand(environment, args)).code).toBe(0);
  await run('operator', 'create', '--email', 'op@concord.test');
  await run('operator', 'reset-password', '--email', 'op@concord.test');
  await run('keys', 'rotate', '--environment', 'live');
  const [{ kid }] = await sql(`select kid from signing_key where environment = 'live' limit 1`);
  await run('keys', 'revoke', `--kid=${kid}`);
  const [{ id }] = await sql(`select id from auth."user" where email = 'op@concord.test'`);
  const found = await sql(
    `select actor_id, credential, action, target, details from audit_log where credential like 'command%' order by position`,
  );
  const first = `select actor_id, credential from audit_log where action = 'operator.create' order by position limit 1`;
  expect(await sql(first)).toEqual([{ actor_id: 'system', credential: 'task first operator' }]);
  const actor_id = 'command line';
  expect(found).toEqual([
    { actor_id, credential: 'command operator create', action: 'operator.create', target: id, details: {} },
    {
      actor_id,
      credential: 'command operator reset-password',
      action: 'operator.reset_password',
      target: id,
      details: {},
    },
    {
      actor_id,
      credential: 'command keys rotate',
      action: 'signing_key.rotate',
      target: null,
      details: { environment: 'live' },
    },
    { actor_id, credential: 'command keys revoke', action: 'signing_key.revoke', target: kid, details: {} },
  ]);
});

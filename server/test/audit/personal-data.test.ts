// GET /me/export: everything about the caller.
import { expect, it } from 'vitest';
import { acl, expectCode, expectStatus, may, pluck, succeed, useCast } from '../stage/cast.ts';
import { password } from '../stage/enrolment.ts';

const { service, cast } = useCast({
  CONCORD_SMTP_URL: 'smtp://127.0.0.1:1',
  CONCORD_RATE_LIMIT: '100000/10s',
});

const ask = (token: string | null) => service.get('/me/export', token);

it('U12: an address that is not verified is not that of the caller', async () => {
  const person = await service.signInStranger();
  const partner = await cast.partner();
  const { id } = succeed(await cast.invite(partner, person.email));
  const about = async () => {
    const { audit_records: records, waiting_mails: mails } = succeed(await ask(person.token));
    return [records.some(({ target }: { target: string }) => target === id), mails.length > 0];
  };
  expect(await about()).toEqual([true, true]);
  await cast.set(person.id, { email_verified: false });
  expect(await about()).toEqual([false, false]);
});

it('U12: the export has everything about the caller, without secrets and without values about others', async () => {
  const person = await service.signInStranger(true);
  const [partner, inviting] = [await cast.partner('Nordlys'), await cast.partner('Bakeriet')];
  await cast.owner(partner);
  await cast.join(partner, person, { owner: true });
  succeed(await cast.invite(inviting, person.email));
  const secret = (await cast.newAccessToken(person, [acl('partner')])).token;
  const other = await cast.user();
  succeed(await cast.invite(partner, other.email, {}, person.token));
  await service.sql(
    `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ('linked', 'at google', 'google', $1, now())`,
    [person.id],
  );
  const body = { reason: 'a reason about the person' };
  succeed(await service.post(`/users/${person.id}/ban`, body));
  succeed(await service.post(`/users/${person.id}/unban`));
  succeed(await service.post('/api/auth/change-email', { newEmail: 'next@concord.test' }, person.token));

  const answer = await ask(person.token);
  expect([answer.status, answer.headers['content-disposition'], answer.headers['cache-control']]).toEqual([
    200,
    `attachment; filename="concord-${person.id}.json"`,
    'no-store',
  ]);
  expect(answer.body).toMatchObject({
    profile: { id: person.id, email: person.email },
    linked_accounts: [{ providerId: 'credential' }, { providerId: 'google', accountId: 'at google' }],
    sessions: [{ current: true, ipAddress: '127.0.0.1' }],
    access_tokens: [{ name: 'a program' }],
    pending_changes: [{ purpose: 'change_email', email: 'next@concord.test' }],
    agreements: [{ owner: true, partner: { id: partner, name: 'Nordlys' } }],
    invitations: [{ accepted: false, partner: { id: inviting, name: 'Bakeriet' } }],
  });
  const subjects = pluck(answer.body.waiting_mails, 'subject');
  expect(subjects).toContain('You are invited to Bakeriet');
  expect(subjects).not.toContain('Confirm your new e-mail address');
  // Other members were invited, too.
  expect(subjects.filter((subject) => subject === 'You are invited to Nordlys')).toHaveLength(1);
  type Listed = {
    action: string;
    actor: { id: string; address: string | null };
    credential: { id: string };
    changes: object;
  };
  const records: Listed[] = answer.body.audit_records;
  const actions = records.map(({ action }) => action);
  for (const action of [
    'account.sign_in',
    'access_token.create',
    'agreement.create',
    'user.ban',
    'account.export',
  ])
    expect(actions).toContain(action);
  const banned = records.find(({ action }) => action === 'user.ban');
  expect(banned).toMatchObject({
    actor: { address: null },
    credential: { id: '' },
    changes: { ban_reason: { after: body.reason } },
  });
  expect(records.find(({ action }) => action === 'account.export')).toMatchObject({
    actor: { id: person.id, address: '127.0.0.1' },
  });
  const [{ password: hash }] = await service.sql(
    'select password from auth.account where user_id = $1 and password is not null',
    [person.id],
  );
  for (const hidden of [person.token, secret, password, hash, other.email])
    expect(answer.text).not.toContain(hidden);
});

it('U12: the agreements of an earlier user of the address are left out', async () => {
  const partner = await cast.partner();
  await cast.owner(partner);
  const earlier = await cast.member(partner, may('deliveries'));
  const later = await service.signInStranger();
  const change = 'update auth."user" set email = $1 where id = $2';
  await service.sql(change, ['moved@concord.test', earlier.id]);
  await service.sql(change, [earlier.email, later.id]);
  succeed(await cast.change(partner, earlier.agreement, may('events')));
  const inviting = await cast.partner();
  const { id: invited } = succeed(await cast.invite(inviting, earlier.email));
  succeed(await cast.change(inviting, invited, { accepted: true }, later.token));
  const { text, body } = await ask(later.token);
  for (const hidden of [partner, earlier.agreement, earlier.id]) expect(text).not.toContain(hidden);
  const ofInvited = body.audit_records.filter(({ target }: { target: string }) => target === invited);
  expect(pluck(ofInvited, 'action')).toEqual(['agreement.create', 'agreement.accept']);
});

it('U12: the export is complete beyond one batch, in the order of the log', async () => {
  const person = await service.signInStranger();
  await service.sql(
    `insert into audit_log (request_id, actor_kind, actor_id, credential, target, action, outcome)
     select n::text, 'person', case when n % 2 = 0 then $1 else 'usr_other' end, 'session s', $1, 'account.sign_out', 'done'
     from generate_series(1, 1200) n`,
    [person.id],
  );
  const records: { id: string; action: string }[] = succeed(await ask(person.token)).audit_records;
  expect(records.filter(({ action }) => action === 'account.sign_out')).toHaveLength(1_200);
  const ids = records.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
});

it('U12: the export needs a session with a recent proof, and works five times an hour', async () => {
  const person = await service.signInStranger();
  const program = (await cast.newAccessToken(person, [acl('*')])).token;
  expect([(await ask(program)).status, (await ask(null)).status]).toEqual([403, 401]);
  await service.sql(`update auth.session set proven_at = '-infinity' where user_id = $1`, [person.id]);
  await expectCode('step_up_required', ask(person.token));
  succeed(await service.post('/api/auth/step-up', { password }, person.token));
  for (let count = 0; count < 5; count++) await expectStatus(200, ask(person.token));
  const refused = await ask(person.token);
  expect([refused.status, refused.body.message]).toEqual([
    429,
    expect.stringContaining('"export" allows 5 in 60 minutes'),
  ]);
});

// Every operation that changes something leaves each changed member before and after in the audit log.
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { type CallerKind, callers } from '../access/access-callers.ts';
import type { Operation } from '../access/access-operation.ts';
import { open, operations } from '../access/access-operations.ts';
import { createWorlds } from '../access/access-world.ts';
import { stock, succeed, useCast, uuidOf } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { createPasskeyStage } from '../stage/passkey-stage.ts';
import { postForm } from '../stage/post-form.ts';
import { newEmail, type Response } from '../stage/start-service.ts';
import { memberless, rowless } from './audit-exceptions.ts';

let partner: string;
const { service, cast } = useCast();
const enrolment = createEnrolment(service);
const stage = createPasskeyStage(service);
beforeAll(async () => {
  partner = await cast.partner();
});

const send = (method: string, path: string, body?: object, token = service.operatorToken) =>
  service.request(method, path, { token, body });
const within = (method: string, path: string, body?: object) =>
  send(method, `/partners/${partner}${path}`, body);
const post = (path: string, token: string | null, body: object = {}) => enrolment.post(path, token, body);

const signedIn = () => service.signInStranger();

/** A link of a mail, with its token. */
async function link(purpose: string) {
  const user = await signedIn();
  const token = randomBytes(24).toString('base64url');
  const change = purpose === 'change_email' ? [newEmail(), 'another session'] : [null, null];
  await service.sql(
    `insert into auth.mail_link (token_hash, user_id, purpose, email, session_id, expires_at)
     values (sha256($1), $2, $3, $4, $5, now() + interval '1 hour')`,
    [token, user.id, purpose, ...change],
  );
  return token;
}

async function invitation() {
  const player = await cast.user();
  const { id } = succeed(await cast.invite(partner, player.email));
  const token = randomBytes(24).toString('base64url');
  await service.sql('update auth.invitation_token set token_hash = sha256($1) where email = $2', [
    token,
    player.email,
  ]);
  return { id, options: { token: player.token, headers: { 'invitation-token': token }, body: {} } };
}

const userCode = async (): Promise<string> =>
  succeed(await postForm(service, '/oauth/device_authorization', { client_id: 'concord-cli' })).user_code;

const endpoint = async (environment = 'live') =>
  `/webhook-endpoints/${succeed(await within('POST', '/webhook-endpoints', { url: 'https://hooks.example.com/', environment })).id}`;

/** One from before the backup that was restored: it waits for an operator. */
async function runningReplay() {
  const id = newId('replay');
  await service.sql(
    'insert into held_deliveries (taken_at) values (concord_now()) on conflict (only_row) do update set choice = null',
  );
  await service.sql(
    `insert into replay (id, partner_id, filter, created_at) values ($1, $2, '{"status":"failed"}', now() - interval '1 day')`,
    [uuidOf(id), uuidOf(partner)],
  );
  return id;
}

const onAgreement = '/partners/{id}/agreements/{agreement_id}';
const onEndpoint = '/partners/{id}/webhook-endpoints/{endpoint_id}';
/** Operations that change nothing in the worlds of the access matrix, and a request that does. */
const staged: Readonly<Record<string, () => Promise<Response>>> = {
  async [`PATCH ${onAgreement} own, accept`]() {
    const player = await cast.user();
    const { id } = succeed(await cast.invite(partner, player.email));
    return cast.change(partner, id, { accepted: true }, player.token);
  },
  async [`PATCH ${onEndpoint}`]() {
    const path = await endpoint();
    succeed(await within('PATCH', path, { headers: { 'x-key': 'the first value of a header' } }));
    return within('PATCH', path, { headers: { 'x-key': 'the second value of a header' } });
  },
  async [`POST ${onEndpoint}/resume`]() {
    const path = await endpoint();
    succeed(await within('POST', `${path}/pause`));
    return within('POST', `${path}/resume`);
  },
  [`POST ${onEndpoint}/test`]: async () => within('POST', `${await endpoint('sandbox')}/test`),
  async 'POST /event-types/import'() {
    const request = { content: { 'application/json': { schema: {}, example: {} } } };
    const webhooks = { 'order.imported': { post: { summary: 'Imported', requestBody: request } } };
    const document = JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, webhooks });
    const { plan } = succeed(await service.post('/event-types/import', { document }));
    return service.post('/event-types/import', { document, apply: true, plan });
  },
  async 'POST /partners/{id}/deliveries/{delivery_id}/replay'() {
    succeed(await within('POST', `${await endpoint()}/pause`));
    succeed(await within('POST', '/events', stock()));
    await service.sql(`update delivery set status = 'failed', next_attempt_at = null, completed_at = now()`);
    const [{ id }] = succeed(await within('GET', '/deliveries?sort_dir=desc'));
    return within('POST', `/deliveries/${id}/replay`);
  },
  async 'POST /partners/{id}/deliveries/{delivery_id}/send-now'() {
    const path = await endpoint();
    succeed(await within('POST', `${path}/pause`));
    succeed(await within('POST', '/events', stock()));
    await service.sql(
      `update delivery set next_attempt_at = now() + interval '1 day' where status = 'pending'`,
    );
    // Active again, and asleep until the retry.
    await service.sql(`update webhook_endpoint set status = 'active'`);
    const [{ id }] = succeed(await within('GET', '/deliveries?sort_dir=desc'));
    return within('POST', `/deliveries/${id}/send-now`);
  },
  'POST /partners/{id}/replays/{replay_id}/stop': async () =>
    within('POST', `/replays/${await runningReplay()}/stop`),
  async 'POST /partners/{id}/restore'() {
    const path = `/partners/${await cast.partner()}`;
    succeed(await send('DELETE', path));
    return send('POST', `${path}/restore`);
  },
  async 'POST /invitations/{agreement_id}/accept'() {
    const { id, options } = await invitation();
    return service.request('POST', `/invitations/${id}/accept`, options);
  },
  async 'POST /invitations/{agreement_id}/decline'() {
    const { id, options } = await invitation();
    return service.request('POST', `/invitations/${id}/decline`, options);
  },
  async 'POST /users/{id}/unban'() {
    const { id } = await cast.member(partner);
    succeed(await send('POST', `/users/${id}/ban`, {}));
    return send('POST', `/users/${id}/unban`);
  },
  'PUT /users/{id}/role': async () =>
    send('PUT', `/users/${(await cast.user()).id}/role`, { role: 'operator' }),
  async 'DELETE /users/{id}/sessions/{session_id}'() {
    const { id } = await cast.user();
    const [session] = succeed(await send('GET', `/users/${id}/sessions`));
    return send('DELETE', `/users/${id}/sessions/${session.id}`);
  },
  'DELETE /users/{id}/sessions': async () => send('DELETE', `/users/${(await cast.user()).id}/sessions`),
  'DELETE /users/{id}/second-factor': async () =>
    send('DELETE', `/users/${(await stage.enrol()).id}/second-factor`),
  'DELETE /users/{id}': async () => send('DELETE', `/users/${(await cast.member(partner)).id}`),
  async 'POST /signing-keys/{kid}/revoke'() {
    const keys = succeed(await send('GET', '/signing-keys'));
    return send('POST', `/signing-keys/${keys.at(-1).kid}/revoke`);
  },
  'POST /api/auth/two-factor/generate-backup-codes': async () =>
    post('two-factor/generate-backup-codes', (await enrolment.enrol()).token, { password }),
  async 'POST /api/auth/passkeys'() {
    return stage.add((await signedIn()).token);
  },
  async 'PATCH /api/auth/passkeys/{id}'() {
    const { token, passkey } = await stage.enrol();
    return send('PATCH', `/api/auth/passkeys/${passkey.id}`, { name: 'other' }, token);
  },
  async 'DELETE /api/auth/passkeys/{id}'() {
    const { token, passkey } = await stage.enrol();
    return send('DELETE', `/api/auth/passkeys/${passkey.id}`, undefined, token);
  },
  async 'POST /api/auth/passkey/sign-in'() {
    return post('passkey/sign-in', null, await stage.alone((await stage.enrol()).authenticator));
  },
  async 'POST /api/auth/two-factor/verify-passkey'() {
    const { authenticator, challenge } = await stage.enrol();
    const twoFactorToken = await challenge();
    const proof = await stage.second(authenticator, { twoFactorToken });
    return post('two-factor/verify-passkey', null, { ...proof, twoFactorToken });
  },
  'POST /api/auth/sign-out': async () => post('sign-out', (await signedIn()).token),
  'POST /api/auth/step-up': async () => post('step-up', (await signedIn()).token, { password }),
  async 'POST /api/auth/unlink-account'() {
    const { id: userId, token } = await signedIn();
    const id = randomUUID();
    const insert = `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, 'google', $2, now())`;
    await service.sql(insert, [id, userId]);
    return post('unlink-account', token, { id });
  },
  'POST /api/auth/change-password': async () =>
    post('change-password', (await signedIn()).token, {
      currentPassword: password,
      newPassword: 'another password of the tests',
    }),
  'POST /api/auth/change-email': async () =>
    post('change-email', (await signedIn()).token, { newEmail: newEmail() }),
  async 'POST /api/auth/delete-user'() {
    const { id, email, token } = await signedIn();
    await cast.join(partner, { id, email, token });
    return post('delete-user', token, { password });
  },
  async 'POST /api/auth/revoke-session'() {
    const { email, token } = await signedIn();
    await service.signIn(email, password);
    const sessions = succeed(await send('GET', '/api/auth/list-sessions', undefined, token));
    return post('revoke-session', token, {
      id: sessions.find(({ current }: { current: boolean }) => !current).id,
    });
  },
  async 'POST /api/auth/revoke-other-sessions'() {
    const { email, token } = await signedIn();
    await service.signIn(email, password);
    return post('revoke-other-sessions', token);
  },
  'POST /api/auth/two-factor/enable': async () =>
    post('two-factor/enable', (await signedIn()).token, { password }),
  'POST /api/auth/two-factor/disable': async () =>
    post('two-factor/disable', (await enrolment.enrol()).token, { password }),
  async 'POST /api/auth/two-factor/verify-totp'() {
    const { token, code } = await enrolment.enrol();
    await service.sql(
      `update auth.session set mfa_verified_at = null where token = encode(sha256($1), 'hex')`,
      [token],
    );
    return post('two-factor/verify-totp', token, { code: code(0) });
  },
  async 'POST /api/auth/two-factor/verify-backup-code'() {
    const { token } = await enrolment.enrol();
    const { backupCodes } = succeed(await post('two-factor/generate-backup-codes', token, { password }));
    await service.sql(
      `update auth.session set mfa_verified_at = null where token = encode(sha256($1), 'hex')`,
      [token],
    );
    return post('two-factor/verify-backup-code', token, { code: backupCodes[0] });
  },
  'POST /me/device-authorizations/{user_code}/approve': async () =>
    send('POST', `/me/device-authorizations/${await userCode()}/approve`, { name: 'laptop', scopes: [] }),
  'POST /me/device-authorizations/{user_code}/deny': async () =>
    send('POST', `/me/device-authorizations/${await userCode()}/deny`),
  // A partner of the world has one already.
  'PUT /partners/{id}/sandbox-receiver': async () =>
    send('PUT', `/partners/${await cast.partner()}/sandbox-receiver`),
  'POST /api/auth/verify-email': async () =>
    post('verify-email', null, { token: await link('change_email'), password }),
  'POST /api/auth/reset-password': async () =>
    post('reset-password', null, {
      token: await link('reset_password'),
      newPassword: 'another password of the tests',
    }),
  'POST /api/auth/delete-user/confirm': async () =>
    post('delete-user/confirm', null, { token: await link('delete_user') }),
  'POST /api/auth/sign-in/email': async () =>
    post('sign-in/email', null, { email: (await signedIn()).email, password }),
};

type Row = { action: string; outcome: string; partner_id: string | null; changed: string[] };
const rowsOf = (answer: Response): Promise<Row[]> =>
  service.sql(
    `select action, outcome, partner_id, array(select jsonb_object_keys(changes)) || array(
       select jsonb_object_keys(coalesce(personal -> 'changes', '{}')) from audit_person
       where audit_person.position = audit_log.position and part = 'person') as changed
     from audit_log where request_id = $1 order by position`,
    [answer.headers['x-request-id']],
  );

it('U11: each operation that changes something records its changed members, but for a closed list', async () => {
  const byOperator = callers.find(({ name }) => name === 'operator') as CallerKind;
  const worlds = createWorlds({ service, cast }, byOperator);
  async function perform(operation: Operation): Promise<Response> {
    const stage = staged[operation.name];
    if (stage) return stage();
    const { world, token } = await worlds.enter(operation);
    const [method = ''] = operation.name.split(' ');
    const body = typeof operation.body === 'function' ? operation.body(world) : operation.body;
    const answer = await service.request(method, operation.path(world), { token, body });
    worlds.done(operation);
    return answer;
  }
  const everyone = [...open].map((name) => ({ name, permission: '', path: () => '' }));
  const changing = [...operations, ...everyone].filter(
    ({ name }) => !name.startsWith('GET ') && !(name in rowless),
  );
  // As after a restore: the choice is about something.
  await service.sql('insert into held_deliveries (taken_at) values (concord_now())');
  const [faults, used]: [string[], Set<string>] = [[], new Set()];
  for (const operation of changing) {
    const answer = await perform(operation);
    const rows = await rowsOf(answer);
    if (answer.status >= 300) faults.push(`${operation.name} answered ${answer.status} ${answer.body.code}`);
    if (rows.length === 0) faults.push(`${operation.name} wrote no row`);
    for (const { action, partner_id } of rows.filter(
      ({ outcome, changed }) => outcome === 'done' && changed.length === 0,
    )) {
      const name =
        /^(user|account)\./.test(action) && partner_id !== null ? `${action} of a partner` : action;
      used.add(name);
      if (!(name in memberless)) faults.push(`${operation.name} wrote ${name} without its changes`);
    }
  }
  expect(faults).toEqual([]);
  expect(Object.keys(memberless).filter((name) => !used.has(name))).toEqual([]);
  expect(
    Object.keys(rowless).filter((name) => !open.has(name) && !operations.some((each) => each.name === name)),
  ).toEqual([]);
});

it('U11: the creation of an account is in the log, by the link of a sign-up and by that of an invitation', async () => {
  const [waiting, invited] = [newEmail(), newEmail()];
  const token = randomBytes(24).toString('base64url');
  const signUp = { name: 'Ann', password };
  succeed(await post('sign-up/email', null, { ...signUp, email: waiting }));
  await service.sql('update auth.pending_sign_up set token_hash = sha256($1) where email = $2', [
    token,
    waiting,
  ]);
  succeed(await post('verify-email', null, { token, password }));
  succeed(await cast.invite(partner, invited));
  await service.sql('update auth.invitation_token set token_hash = sha256($1) where email = $2', [
    token,
    invited,
  ]);
  const headers = { 'invitation-token': token };
  succeed(
    await service.request('POST', '/api/auth/sign-up/email', {
      token: null,
      headers,
      body: { ...signUp, email: invited },
    }),
  );
  const [byInvitation, bySignUp] = succeed(await send('GET', '/audit-log?filter[action]=account.create'));
  const by = (record: {
    actor: object;
    credential: { id: string };
    changes: Record<string, { after: unknown }>;
  }) => [
    record.actor,
    record.credential,
    record.changes.email?.after,
    record.changes.name?.after,
    record.changes.role?.after,
  ];
  const actor = (email: string) => ({
    kind: 'person',
    id: expect.stringMatching(/^usr_/),
    name: 'Ann',
    email,
    address: '127.0.0.1',
  });
  expect(by(bySignUp)).toEqual([
    actor(waiting),
    { kind: 'mail_link', id: 'sign_up' },
    waiting,
    'Ann',
    'user',
  ]);
  expect(by(byInvitation)).toEqual([
    actor(invited),
    { kind: 'mail_link', id: 'invitation' },
    invited,
    'Ann',
    'user',
  ]);
});

it('U11: a new URL at the same origin is a changed member, and the log does not have it', async () => {
  const path = await endpoint();
  const answer = await within('PATCH', path, { url: 'https://hooks.example.com/of-another-tenant' });
  const [row] = await service.sql('select changes from audit_log where request_id = $1', [
    answer.headers['x-request-id'],
  ]);
  expect(row.changes).toEqual({ url: { before: '(secret)', after: '(secret)' } });
});

it('U9: two long values of the same length differ in the log', async () => {
  const put = (letter: string) => {
    const schema = { description: letter.repeat(9_000) };
    return send('PUT', '/event-types/long.schema', { description: 'd', schema, example: {} });
  };
  succeed(await put('a'));
  const answer = succeed(await put('b')) && (await put('c'));
  const [row] = await service.sql('select changes from audit_log where request_id = $1', [
    answer.headers['x-request-id'],
  ]);
  const { before, after } = row.changes.schema;
  expect(before).toMatch(/^\(9018 characters of JSON, SHA-256 [0-9a-f]{64}\)$/);
  expect(after).not.toBe(before);
});

it('U11: secrets are in the log by name only', async () => {
  const text = JSON.stringify(
    await service.sql('select * from audit_log left join audit_person using (position)'),
  );
  for (const secret of [password, 'another password of the tests', 'value of a header'])
    expect(text).not.toContain(secret);
  expect(text).toContain('"headers":{"after":"(secret)","before":"(secret)"}');
  expect(text).toContain('"password":{"after":"(secret)","before":"(secret)"}');
});

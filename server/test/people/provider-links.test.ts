// Links of users to a real OpenID Connect provider: made, listed in the audit log, and removed.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, expectStatus } from '../stage/cast.ts';
import type { TestService } from '../stage/start-service.ts';
import { type ProviderStage, startProviderStage } from './provider-stage.ts';

let stage: ProviderStage;
let service: TestService;
let { person, visit, makeUser, accountsOf } = {} as ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage();
  ({ service, person, visit, makeUser, accountsOf } = stage);
});
afterAll(() => stage.stop());

it('T1, T14: a signed-in user can link an account with the same address, but not with another', async () => {
  const email = 'linker@oidc.example';
  const token = await makeUser(email);
  await expectStatus(400, visit(person('stranger', 'other@oidc.example'), { token }));
  const linked = await visit(person('linker', email), { token });
  expect([linked.status, linked.body]).toEqual([200, { linked: true }]);
  expect((await accountsOf(token)).sort()).toEqual(['credential', 'oidc']);
});

describe('links to providers', () => {
  const rowsOf = (userId: string) =>
    service.sql(
      `select action, outcome, credential, details, request_id from audit_log where target = $1 and action like '%provider' order by position`,
      [userId],
    );
  const linkOf = async (token: string): Promise<{ id: string; userId: string }> =>
    (await service.get('/api/auth/list-accounts', token)).body.find(
      (account: { providerId: string }) => account.providerId === 'oidc',
    );
  const unlink = (token: string, id: string) => service.post('/api/auth/unlink-account', { id }, token);

  it('T15: a user unlinks a provider, which then cannot sign in; sessions stay, and the log has both changes', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const token = await makeUser(email);
    const linked = await visit(person(email, email), { token });
    expect(linked.body).toEqual({ linked: true });
    const elsewhere = (await visit(email)).body.token;
    const { id, userId } = await linkOf(token);
    const { status, body, headers } = await unlink(token, id);
    expect([status, body]).toEqual([200, { status: true }]);
    expect(await accountsOf(token)).toEqual(['credential']);
    await expectStatus(200, service.get('/api/auth/list-sessions', elsewhere));
    await expectStatus(404, unlink(token, id));
    // A sign-in would link a verified address again. The user has unlinked it, so only the user links it
    // again.
    expect(codeOf(await visit(email))).toEqual([400, 'provider_refused']);
    const details = { provider: 'oidc' };
    const link = { action: 'account.link_provider', credential: 'provider oidc', details };
    const request_id = linked.headers['x-request-id'];
    expect(await rowsOf(userId)).toEqual([
      { ...link, outcome: 'intended', request_id },
      { ...link, outcome: 'done', request_id },
      {
        action: 'account.unlink_provider',
        outcome: 'done',
        credential: expect.stringMatching(/^session /),
        details,
        request_id: headers['x-request-id'],
      },
    ]);
    expect((await visit(email, { token })).body).toEqual({ linked: true });
    await expectStatus(200, visit(email));
    // The user got a mail about each change. Without an SMTP server, mails are files.
    const outbox = join(service.dataDir, 'outbox');
    const subjects = () =>
      readdirSync(outbox)
        .filter((file) => file.endsWith('.eml'))
        .map((file) => readFileSync(join(outbox, file), 'utf8'))
        .filter((mail) => mail.includes(email))
        .map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1])
        .sort();
    const made = 'A provider was linked to your account';
    await expect.poll(subjects).toEqual([made, made, 'A provider was unlinked from your account']);
  });

  it('T15: the last way to sign in, the password, and the link of another user cannot be unlinked', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const { token } = (await visit(person(email, email))).body;
    const { id, userId } = await linkOf(token);
    expect(codeOf(await unlink(token, id))).toEqual([400, 'last_way_to_sign_in']);
    // A provider that is not configured signs nobody in.
    await service.sql(
      `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, 'github', $2, now())`,
      [randomUUID(), userId],
    );
    expect((await unlink(token, id)).body.code).toBe('last_way_to_sign_in');
    const { token: other } = await service.signInStranger();
    await expectStatus(404, unlink(other, id));
    const { body } = await service.get('/api/auth/list-accounts', other);
    expect(await codeOf(await unlink(other, body[0].id))).toEqual([400, 'invalid_request']);
    expect(await accountsOf(token)).toContain('oidc');
  });

  it('T15: two at once cannot remove the last two ways to sign in', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const { token } = (await visit(person(email, email))).body;
    const { id, userId } = await linkOf(token);
    const google = randomUUID();
    await service.sql(
      `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, 'google', $2, now())`,
      [google, userId],
    );
    const answers = await Promise.all([unlink(token, id), unlink(token, google)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await accountsOf(token)).toHaveLength(1);
  });

  it('T6, T15: unlinking needs a recent proof', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const token = await makeUser(email);
    await visit(person(email, email), { token });
    const { id } = await linkOf(token);
    await service.sql(
      `update auth.session set proven_at = now() - interval '11 minutes' where token = encode(sha256($1), 'hex')`,
      [token],
    );
    expect(codeOf(await unlink(token, id))).toEqual([403, 'step_up_required']);
  });
});

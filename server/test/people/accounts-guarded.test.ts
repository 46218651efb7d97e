// The limits that protect accounts from simultaneous and wrong requests: codes, passwords, floods of
// sign-ins, mails.
import { describe, expect, it } from 'vitest';
import { expectStatus, times } from '../stage/cast.ts';
import { createEnrolment, password, statusesOf } from '../stage/enrolment.ts';
import { openService, useService } from '../stage/start-service.ts';

const service = useService({
  CONCORD_RATE_LIMIT: '100000/10s',
  CONCORD_TRUSTED_PROXIES: '127.0.0.1',
});
const { post, forget, enrol } = createEnrolment(service);

describe('backup codes', () => {
  it('S1: three of twenty simultaneous generations succeed, and exactly one returned set works', async () => {
    const { token, challenge } = await enrol();
    await forget();
    const answers = await Promise.all(
      times(20, () => post('two-factor/generate-backup-codes', token, { password })),
    );
    expect(statusesOf(answers)).toEqual([...Array(3).fill(200), ...Array(17).fill(429)]);
    expect(answers[0]?.headers['cache-control']).toBe('no-store');
    const working = [];
    for (const { status, body } of answers) {
      if (status !== 200) continue;
      await forget();
      const { status: outcome } = await post('two-factor/verify-backup-code', null, {
        code: body.backupCodes[0],
        twoFactorToken: await challenge(),
      });
      if (outcome === 200) working.push(body.backupCodes);
    }
    expect(working).toHaveLength(1);
  });

  it('S1: exactly one set of twenty simultaneous generations works, even without the limit', async () => {
    const unguarded = createEnrolment(await openService());
    const { token } = await unguarded.enrol();
    const answers = await Promise.all(
      times(20, () => unguarded.post('two-factor/generate-backup-codes', token, { password })),
    );
    const uses = [];
    for (const { body } of answers)
      uses.push(await unguarded.post('two-factor/verify-backup-code', token, { code: body.backupCodes[0] }));
    expect(statusesOf(uses)).toEqual([200, ...Array(19).fill(401)]);
  });

  it('S1: one of eight simultaneous uses of one code succeeds', async () => {
    const { token } = await enrol();
    const { body } = await post('two-factor/generate-backup-codes', token, { password });
    const uses = await Promise.all(
      times(8, () => post('two-factor/verify-backup-code', token, { code: body.backupCodes[3] })),
    );
    expect(statusesOf(uses)).toEqual([200, ...Array(7).fill(401)]);
  });

  it('S1: after ten wrong passwords even the right one is refused', async () => {
    const { token } = await enrol();
    for (let i = 0; i < 10; i++) {
      await service.sql(`delete from guard_count where key like 'backup-codes%'`);
      await expectStatus(
        400,
        post('two-factor/generate-backup-codes', token, { password: 'wrong password' }),
      );
    }
    await service.sql(`delete from guard_count where key like 'backup-codes%'`);
    const { status, headers } = await post('two-factor/generate-backup-codes', token, { password });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
  });
});

describe('codes of the second factor', () => {
  it('T1: one of eight simultaneous challenges accepts the same TOTP code', async () => {
    const { code, challenge } = await enrol();
    const challenges = [];
    for (let i = 0; i < 8; i++) challenges.push(await challenge());
    await forget();
    const same = code(0);
    const uses = await Promise.all(
      challenges.map((twoFactorToken) =>
        post('two-factor/verify-totp', null, { code: same, twoFactorToken }),
      ),
    );
    expect(statusesOf(uses)).toEqual([200, ...Array(7).fill(401)]);
  });

  it('L1: failures lock an account for one address, not for its owner at another', async () => {
    const { email, challenge, code } = await enrol();
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    for (let i = 0; i < 10; i++)
      await post(
        'two-factor/verify-totp',
        null,
        { code: '000000', twoFactorToken: await challenge() },
        stranger,
      );
    const blocked = await post(
      'two-factor/verify-totp',
      null,
      { code: code(0), twoFactorToken: await challenge() },
      stranger,
    );
    expect([blocked.status, blocked.body.code]).toEqual([429, 'rate_limited']);
    await expectStatus(
      200,
      post('two-factor/verify-totp', null, { code: code(0), twoFactorToken: await challenge() }),
    );
    for (let i = 0; i < 10; i++)
      await post('sign-in/email', null, { email, password: 'wrong password' }, stranger);
    await expectStatus(429, post('sign-in/email', null, { email, password }, stranger));
    await expectStatus(200, post('sign-in/email', null, { email, password }));
  });
});

describe('secrets', () => {
  it('T12, S1: do not appear in a dump of the database', async () => {
    const { token, secret, email, challenge, code } = await enrol();
    await forget();
    const { body } = await post('two-factor/generate-backup-codes', token, { password });
    await post('request-password-reset', null, { email });
    const begun = await challenge();
    const proof = { code: code(0), twoFactorToken: await challenge(), trustDevice: true };
    const trusted = (await post('two-factor/verify-totp', null, proof)).body;
    const device = decodeURIComponent(trusted.trustDeviceToken).split(/[!.]/)[1];
    expect(device).toMatch(/^trust-device-/);
    const tables = await service.sql(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace where relkind = 'r' and nspname in ('public', 'auth')`,
    );
    let dump = '';
    for (const { name } of tables) dump += JSON.stringify(await service.sql(`select t::text from ${name} t`));
    const tokens = [service.operatorToken, token, trusted.token, begun.split('.')[0], device];
    for (const hidden of [password, secret, ...body.backupCodes, ...tokens]) {
      // Not toContain, which would print the whole dump.
      expect(dump.includes(hidden), hidden).toBe(false);
    }
    expect(dump).toContain('trust-device-');
    expect(service.logs.join('')).not.toContain(secret);
  });
});

describe('a flood of sign-ins', () => {
  it('L1: is processed two at a time or refused, and does not delay other requests', async () => {
    await forget();
    const flood = times(150, (i) => post('sign-in/email', null, { email: `f${i}@flood.example`, password }));
    const read = await service.get('/partners');
    const first = await Promise.race([
      Promise.all(flood).then(() => 'the flood'),
      Promise.resolve(read).then(() => 'the read'),
    ]);
    expect([read.status, first]).toEqual([200, 'the read']);
    const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([401, 429]);
  });
});

describe('mails', () => {
  it('L1: to one recipient are limited per address of the requester, and the answer does not reveal it', async () => {
    await forget();
    const { email } = await enrol();
    await forget();
    const waiting = async () =>
      (await service.sql(`select from auth.mail_link where purpose = 'reset_password'`)).length;
    const ask = (address: string) =>
      post('request-password-reset', null, { email }, { 'x-forwarded-for': address });
    const before = await waiting();
    for (let i = 0; i < 7; i++) await expectStatus(200, ask('203.0.113.1'));
    await expect.poll(async () => (await waiting()) - before).toBe(5);
    // The owner, at another address, still gets a mail.
    await expectStatus(200, ask('203.0.113.2'));
    await expect.poll(async () => (await waiting()) - before).toBe(6);
  });
});

describe('the cleanup task', () => {
  it('L1: deletes expired sessions, tokens and counts', async () => {
    const { token } = await enrol();
    const count = async () =>
      (
        await service.sql(
          `select (select count(*) from auth.session)::int + (select count(*) from auth.verification)::int + (select count(*) from auth.totp_use)::int + (select count(*) from guard_count)::int as n`,
        )
      )[0].n;
    await service.sql(
      `insert into auth.session (id, token, user_id, expires_at, updated_at) select 'old', repeat('0', 64), user_id, now() - interval '1 second', now() from auth.session where token = encode(sha256($1), 'hex')`,
      [token],
    );
    await service.sql(
      `insert into auth.verification (id, identifier, value, expires_at) values ('old', repeat('0', 64), 'old', now() - interval '1 second')`,
    );
    await service.sql(
      `insert into auth.totp_use (user_id, code, used_at) select user_id, 'old', now() - interval '1 hour' from auth.session where token = encode(sha256($1), 'hex')`,
      [token],
    );
    await service.sql(`insert into guard_count values ('old', 1, 1)`);
    const before = await count();
    await service.runTask('delete expired sessions, tokens and counts');
    expect(await count()).toBeLessThanOrEqual(before - 4);
    for (const table of ['auth.session', 'auth.verification', 'guard_count', 'auth.totp_use']) {
      expect(await service.sql(`select from ${table} t where t::text like '%old%'`)).toEqual([]);
    }
    await expectStatus(200, service.get('/api/auth/list-accounts', token));
  });
});

// The token of a session in a browser changes with each proof and each change of a factor.
import * as OTPAuth from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, consoleUrl, openBrowser, ownPage } from '../stage/browser.ts';
import { expectStatus, statusesOf } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { hold, untilWaiting } from '../stage/locks.ts';
import { useService } from '../stage/start-service.ts';

const service = useService({ CONCORD_BASE_URL: consoleUrl, CONCORD_RATE_LIMIT: '100000/10s' });
const enrolment = createEnrolment(service);
beforeEach(async () => {
  await enrolment.forget();
  await service.advanceClock(0);
});

type SignedIn = Browser & { email: string; userId: string };
async function signedIn(): Promise<SignedIn> {
  const { email, id } = await service.signInStranger();
  const browser = openBrowser(service);
  await browser.post('sign-in/email', { email, password });
  return { ...browser, email, userId: id };
}
/** Also has a second factor, and codes of it. */
async function enrolled() {
  const browser = await signedIn();
  const { body } = await browser.post('two-factor/enable', { password });
  const totp = OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP;
  const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  await expectStatus(200, browser.post('two-factor/verify-totp', { code: code(-1) }));
  return { ...browser, code, backupCodes: body.backupCodes as string[] };
}
/** Another tab, whose request was sent before the cookie changed. */
const late = (token: string | undefined, method: string, path: string, body?: object) =>
  service.request(method, `/console/api${path}`, {
    token: null,
    headers: { ...ownPage, cookie: `__Host-concord=${token}` },
    body,
  });
const idOf = async (browser: Browser): Promise<string> => (await browser.get('/me')).body.credential.id;
const bearer = (token: string | undefined, method: string, path: string, body?: object) =>
  service.request(method, path, { token: String(token), body });

const newPassword = 'another good password';
const occasions: Record<
  string,
  (browser: Awaited<ReturnType<typeof enrolled>>) => ReturnType<Browser['post']>
> = {
  'a step-up': (browser) => browser.post('step-up', { password, code: browser.code(0) }),
  'a code in the session': (browser) => browser.post('two-factor/verify-totp', { code: browser.code(0) }),
  'a backup code in the session': (browser) =>
    browser.post('two-factor/verify-backup-code', { code: browser.backupCodes[0] }),
  'new backup codes': (browser) => browser.post('two-factor/generate-backup-codes', { password }),
  'a new password': (browser) => browser.post('change-password', { currentPassword: password, newPassword }),
  'a new password that keeps other sessions': (browser) =>
    browser.post('change-password', { currentPassword: password, newPassword, revokeOtherSessions: false }),
};

describe('the token of a session in a browser', () => {
  it.each(Object.entries(occasions))(
    'B6: %s gives the session a new token, and it stays the same session',
    async (_, change) => {
      const browser = await enrolled();
      const [id, old] = [await idOf(browser), browser.session()];
      const { status, body, headers } = await change(browser);
      expect([status, JSON.stringify(body).includes('token'), headers['set-cookie']]).toEqual([
        200,
        false,
        [`__Host-concord=${browser.session()}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure`],
      ]);
      expect(browser.session()).not.toBe(old);
      expect([await idOf(browser), (await late(old, 'GET', '/me')).body.credential.id]).toEqual([id, id]);
      await service.advanceClock(11_000);
      expect([(await late(old, 'GET', '/me')).status, await idOf(browser)]).toEqual([401, id]);
    },
  );

  it.each(['enabling', 'disabling'])('B6: %s the second factor does it too', async (change) => {
    const browser = change === 'enabling' ? await signedIn() : await enrolled();
    const old = browser.session();
    if (change === 'enabling') {
      const { body } = await browser.post('two-factor/enable', { password });
      expect(browser.session()).toBe(old);
      const totp = OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP;
      await browser.post('two-factor/verify-totp', { code: totp.generate() });
    } else await browser.post('two-factor/disable', { password });
    expect(browser.session()).not.toBe(old);
    const id = await idOf(browser);
    const served = (await late(old, 'GET', '/me')).body.credential;
    expect([served.id, (await late(old, 'GET', '/partners')).status]).toEqual([id, 200]);
    // The request that was under way had not proven the new factor.
    if (change === 'enabling')
      expect([
        served.second_factor_proven,
        (await browser.get('/me')).body.credential.second_factor_proven,
      ]).toEqual([false, true]);
    await service.advanceClock(11_000);
    expect([(await late(old, 'GET', '/me')).status, await idOf(browser)]).toEqual([401, id]);
  });

  it('B6: refused changes keep the token', async () => {
    const browser = await enrolled();
    const old = browser.session();
    const answers = [
      await browser.post('step-up', { password: 'wrong', code: browser.code(0) }),
      await browser.post('step-up', { password, code: '000000' }),
      await browser.post('two-factor/verify-totp', { code: '000000' }),
      await browser.post('two-factor/generate-backup-codes', { password: 'wrong' }),
      await browser.post('change-password', { currentPassword: 'wrong', newPassword }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 401, 400, 400]);
    expect([browser.session(), await browser.get('/me').then(({ status }) => status)]).toEqual([old, 200]);
  });

  it('B6: a bearer client keeps its token', async () => {
    const { token, code } = await enrolment.enrol();
    for (const [path, body] of [
      ['two-factor/verify-totp', { code: code(0) }],
      ['step-up', { password, code: code(1) }],
      ['two-factor/generate-backup-codes', { password }],
      ['change-password', { currentPassword: password, newPassword }],
    ] as const) {
      const { status, headers } = await bearer(token, 'POST', `/api/auth/${path}`, body);
      expect([status, headers['set-cookie']], path).toEqual([200, undefined]);
    }
    await expectStatus(200, bearer(token, 'GET', '/me'));
    const [{ id }] = (await service.sql(
      `select id from auth.session where token = encode(sha256($1), 'hex')`,
      [token],
    )) as [{ id: string }];
    expect(await service.sql('select from auth.session where replaced_by = $1', [id])).toEqual([]);
  });

  it('B6: of two at once one changes the token, and the other is asked to try again', async () => {
    const browser = await signedIn();
    const old = browser.session();
    const both = await Promise.all([1, 2].map(() => late(old, 'POST', '/api/auth/step-up', { password })));
    expect(statusesOf(both)).toEqual([200, 401]);
    expect(both.find(({ status }) => status === 401)?.headers['set-cookie']).toBeUndefined();
    for (const answer of both) browser.keep(answer);
    await expectStatus(200, browser.post('step-up', { password }));
    expect(
      (await browser.get('/api/auth/list-sessions')).body.filter(
        ({ current }: { current: boolean }) => current,
      ),
    ).toHaveLength(1);
  });

  it('B6: a change that waits for another one decides again with the token of then', async () => {
    const browser = await signedIn();
    const old = browser.session();
    const holder = await hold(service.database, 'select from auth."user" where id = $1 for update', [
      browser.userId,
    ]);
    const waiting = [
      late(old, 'POST', '/api/auth/step-up', { password }),
      late(old, 'POST', '/api/auth/change-password', {
        currentPassword: password,
        newPassword: 'yet another password',
      }),
    ];
    await untilWaiting(service.database, 2);
    await holder.end();
    const answers = await Promise.all(waiting);
    expect(statusesOf(answers)).toEqual([200, 401]);
  });
});

describe('a replaced token', () => {
  async function replaced() {
    const browser = await signedIn();
    const old = browser.session();
    await expectStatus(200, browser.post('step-up', { password }));
    return { browser, old };
  }

  it('B7: it reads and changes what needs no proof, for ten seconds', async () => {
    const { browser, old } = await replaced();
    await expectStatus(200, late(old, 'GET', '/api/auth/list-sessions'));
    await expectStatus(200, late(old, 'PATCH', '/me', { name: 'Ann' }));
    await service.advanceClock(9_000);
    expect((await late(old, 'GET', '/me')).body.name).toBe('Ann');
    await service.advanceClock(10_500);
    expect([(await late(old, 'GET', '/me')).status, (await browser.get('/me')).status]).toEqual([401, 200]);
  });

  it('B7: it proves and changes nothing of the account, with the cookie and as a bearer token, and its 401 keeps the cookie', async () => {
    const { browser, old } = await replaced();
    const before = (await browser.get('/me')).body.credential.proven_at;
    for (const [path, body] of [
      ['/api/auth/step-up', { password }],
      ['/api/auth/change-password', { currentPassword: password, newPassword }],
      ['/api/auth/change-email', { newEmail: 'other@concord.test' }],
      ['/api/auth/two-factor/enable', { password }],
      ['/api/auth/two-factor/verify-totp', { code: '123456' }],
      ['/api/auth/two-factor/generate-backup-codes', { password }],
      ['/api/auth/delete-user', { password }],
      ['/api/auth/sign-out', {}],
      ['/api/auth/revoke-other-sessions', {}],
      ['/me/access-tokens', { name: 'x', scopes: [] }],
    ] as const) {
      for (const answer of [await late(old, 'POST', path, body), await bearer(old, 'POST', path, body)]) {
        expect([answer.status, answer.body.code, answer.headers['set-cookie']], path).toEqual([
          401,
          'unauthenticated',
          undefined,
        ]);
      }
    }
    expect([
      (await browser.get('/me')).body.credential.proven_at,
      (await browser.post('sign-out')).status,
    ]).toEqual([before, 204]);
  });

  it('B7: a 401 after the ten seconds keeps the cookie too, since the browser has a newer one', async () => {
    const { old } = await replaced();
    await service.advanceClock(60_000);
    const { status, headers } = await late(old, 'GET', '/me');
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    await service.runTask('delete expired sessions and tokens');
    expect(String((await late(old, 'GET', '/me')).headers['set-cookie'])).toContain('Max-Age=0');
  });

  const ways: Record<string, (browser: Browser, userId: string) => Promise<unknown>> = {
    'a sign-out': (browser) => browser.post('sign-out'),
    'its user': async (browser) => browser.post('revoke-session', { id: await idOf(browser) }),
    'an operator': async (browser, userId) =>
      service.remove(`/users/${userId}/sessions/${await idOf(browser)}`),
    'an operator who ends all': (_, userId) => service.remove(`/users/${userId}/sessions`),
  };
  it.each(Object.entries(ways))('B7: it ends with its session, by %s', async (_, end) => {
    const { browser, old } = await replaced();
    const token = browser.session();
    const { id } = (await browser.get('/me')).body;
    await end(browser, id);
    expect([(await late(old, 'GET', '/me')).status, (await late(token, 'GET', '/me')).status]).toEqual([
      401, 401,
    ]);
  });

  it('B7: no list, export or audit row shows it', async () => {
    const { browser, old } = await replaced();
    const id = await idOf(browser);
    const { id: userId } = (await browser.get('/me')).body;
    const [{ id: hidden }] = (await service.sql('select id from auth.session where replaced_by = $1', [
      id,
    ])) as [{ id: string }];
    const other = openBrowser(service);
    await other.post('sign-in/email', { email: (await browser.get('/me')).body.email, password });
    const texts = [
      await browser.get('/api/auth/list-sessions'),
      await service.get(`/users/${userId}/sessions`),
      await browser.get('/me/export'),
    ].map(({ text }) => text);
    await expectStatus(200, other.post('revoke-other-sessions'));
    const audit = await service.get(`/audit-log?page_size=1000`);
    for (const text of [...texts, audit.text])
      expect([text.includes(id), text.includes(hidden)]).toEqual([true, false]);
    await expectStatus(401, late(old, 'GET', '/me'));
  });

  it('B7: the database lets it prove nothing, and live no longer', async () => {
    const { browser } = await replaced();
    const id = await idOf(browser);
    for (const set of ['proven_at = now()', `expires_at = now() + interval '1 minute'`]) {
      await expect(
        service.sql(`update auth.session set ${set} where replaced_by = $1`, [id]),
      ).rejects.toThrow('session_replaced_is_weak');
    }
  });
});

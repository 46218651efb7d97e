// Attacks on passkeys: what was signed for somebody else, somewhere else, at another time or twice.
import { randomBytes } from 'node:crypto';
import * as OTPAuth from 'otpauth';
import { expect, it } from 'vitest';
import { createAuthenticator } from '../stage/authenticator.ts';
import { codeOf, expectCode, expectStatus, succeed } from '../stage/cast.ts';
import { password } from '../stage/enrolment.ts';
import { commit, hold, untilWaiting } from '../stage/locks.ts';
import { createPasskeyStage } from '../stage/passkey-stage.ts';
import { useService } from '../stage/start-service.ts';

const service = useService({ CONCORD_RATE_LIMIT: '100000/10s', CONCORD_TRUSTED_PROXIES: '127.0.0.1' });
const { post, forget, add, enrol, alone, second } = createPasskeyStage(service);

const refused = [401, 'invalid_passkey'];
const dead = [400, 'invalid_token'];
const signIn = async (body: object) => codeOf(await post('passkey/sign-in', null, body));
const sessionsOf = async (id: string) =>
  (await service.sql('select from auth.session where user_id = $1', [id])).length;

/** What is wrong with a ceremony of WebAuthn, whichever it is. */
const faults = [
  { origin: 'https://concord.test' },
  { origin: 'http://concord.test.evil.example' },
  { origin: 'http://concord.test:3000' },
  { rpId: 'evil.example' },
  { rpId: 'test' },
  { crossOrigin: true },
  { challenge: randomBytes(32).toString('base64url') },
];

it('S3: what is signed for another origin, host, page or challenge adds no passkey', async () => {
  const { token, id } = await service.signInStranger();
  for (const fault of [...faults, { type: 'webauthn.get' }])
    expect([fault, ...codeOf(await add(token, createAuthenticator(), fault))]).toEqual([fault, ...refused]);
  const { sealedChallenge, publicKey } = succeed(await post('passkeys/options', token));
  const withCertificate: [string, unknown][] = [
    ['fmt', 'packed'],
    ['attStmt', new Map([['x5c', Buffer.from('a certificate')]])],
  ];
  const foreign: [string, unknown][] = [
    ['fmt', 'android-safetynet'],
    ['attStmt', new Map([['ver', '1']])],
  ];
  for (const attestation of [withCertificate, foreign]) {
    const credential = createAuthenticator().create(publicKey, {}, attestation);
    expect(codeOf(await post('passkeys', token, { name: 'x', sealedChallenge, credential }))).toEqual(
      refused,
    );
    // Before the library looks at them.
    expect(service.logs.splice(0).some((line) => line.includes('has certificates'))).toBe(true);
  }
  expect(await service.sql('select from auth.passkey where user_id = $1', [id])).toEqual([]);
});

it('S3, S6: what is signed for another origin, host, page, user or challenge signs nobody in', async () => {
  const { authenticator, id } = await enrol();
  const before = await sessionsOf(id);
  const wrong = [...faults, { type: 'webauthn.create' }, { userHandle: '' }, { userHandle: 'dXNyXzAx' }];
  for (const fault of [...wrong, { verifiesUser: false }]) {
    await forget();
    expect([fault, await signIn(await alone(authenticator, fault))]).toEqual([fault, refused]);
  }
  const body = await alone(authenticator);
  const { response } = body.credential;
  const changed = Buffer.from(response.signature, 'base64url');
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  for (const part of [
    { signature: changed.toString('base64url') },
    { signature: 'AA' },
    { authenticatorData: 'AA' },
    { clientDataJSON: Buffer.from('null').toString('base64url') },
  ]) {
    const credential = { ...body.credential, response: { ...response, ...part } };
    expect([part, await signIn({ ...body, credential })]).toEqual([part, refused]);
  }
  await expectStatus(400, post('passkey/sign-in', null, { ...body, origin: 'http://evil.example' }));
  expect(await sessionsOf(id)).toBe(before);
  // The fault was the only reason: the same browser signs in without it.
  expect(await signIn(body)).toEqual([200, undefined]);
});

it('S3: neither the Host of a request nor a proxy says which origin is right', async () => {
  const { authenticator } = await enrol();
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' };
  const ask = (path: string, body: object) =>
    service.request('POST', `/api/auth/${path}`, { token: null, body, headers });
  const { sealedChallenge, publicKey } = succeed(await ask('passkey/sign-in/options', {}));
  expect(publicKey.rpId).toBe('concord.test');
  const evil = { origin: 'http://evil.example', rpId: 'evil.example' };
  const credential = authenticator.get(publicKey, evil);
  expect(codeOf(await ask('passkey/sign-in', { sealedChallenge, credential }))).toEqual(refused);
});

it('S3: a challenge works once, also for a passkey that does not count', async () => {
  const person = await enrol(createAuthenticator({ counts: false }));
  const body = await alone(person.authenticator);
  expect(await signIn(body)).toEqual([200, undefined]);
  expect(await signIn(body)).toEqual(dead);
  // Asked for before the clock was set back, so it lasts longer.
  await service.advanceClock(10 * 60_000);
  const later = await alone(person.authenticator);
  await service.advanceClock(0);
  expect(await signIn(later)).toEqual([200, undefined]);
  await service.advanceClock(6 * 60_000);
  expect(await signIn(later)).toEqual(dead);
  await service.advanceClock(0);
  // A removed passkey does not come back with what once added it.
  const lost = createAuthenticator();
  const { sealedChallenge, publicKey } = succeed(await post('passkeys/options', person.token));
  const adding = { name: 'x', sealedChallenge, credential: lost.create(publicKey) };
  const { passkey } = succeed(await post('passkeys', person.token, adding));
  await expectStatus(
    204,
    service.request('DELETE', `/api/auth/passkeys/${passkey.id}`, { token: person.token }),
  );
  expect(codeOf(await post('passkeys', person.token, adding))).toEqual(dead);
});

it('S3: a challenge ends after five minutes, and one that we did not make is none', async () => {
  const { authenticator } = await enrol();
  const body = await alone(authenticator);
  await service.advanceClock(5 * 60_000);
  expect(await signIn(body)).toEqual(dead);
  await service.advanceClock(0);
  for (const sealedChallenge of ['AA', 'x'.repeat(400), `${body.sealedChallenge}AAAA`])
    expect(await signIn({ ...body, sealedChallenge })).toEqual(dead);
});

it('S3: a challenge works for its session, its sign-in and its purpose alone', async () => {
  const one = await enrol(createAuthenticator({ counts: false }));
  const other = await enrol();
  const waiting = await one.challenge();
  const [own, ofSession] = [
    await second(one.authenticator, { twoFactorToken: waiting }),
    await second(one.authenticator, { token: one.token }),
  ];
  const verify = async (proof: object, twoFactorToken: string) =>
    codeOf(await post('two-factor/verify-passkey', null, { ...proof, twoFactorToken }));
  const stepUp = async (passkey: object, token: string) => codeOf(await post('step-up', token, { passkey }));
  // Of another sign-in of the same user, of a session, and of a sign-in without a password.
  expect(await verify(own, await one.challenge())).toEqual(dead);
  expect(await verify(ofSession, waiting)).toEqual(dead);
  expect(await verify(await alone(one.authenticator), waiting)).toEqual(dead);
  expect(await signIn(own)).toEqual(dead);
  expect(await stepUp(own, one.token)).toEqual(dead);
  const again = succeed(await post('passkey/sign-in', null, await alone(one.authenticator)));
  expect(await stepUp(ofSession, again.token)).toEqual(dead);
  expect(await stepUp(await second(other.authenticator, { token: other.token }), one.token)).toEqual(dead);
  const { sealedChallenge, publicKey } = succeed(await post('passkeys/options', other.token));
  const adding = { name: 'x', sealedChallenge, credential: createAuthenticator().create(publicKey) };
  expect(codeOf(await post('passkeys', one.token, adding))).toEqual(dead);
  expect(await verify(own, waiting)).toEqual([200, undefined]);
});

it('S7: the passkey of another user proves nothing', async () => {
  const [one, other] = [await enrol(), await enrol()];
  const twoFactorToken = await one.challenge();
  const proof = await second(other.authenticator, { twoFactorToken });
  expect(codeOf(await post('two-factor/verify-passkey', null, { ...proof, twoFactorToken }))).toEqual(
    refused,
  );
  const passkey = await second(other.authenticator, { token: one.token });
  expect(codeOf(await post('step-up', one.token, { passkey }))).toEqual(refused);
});

const refusedBecause = (reason: string) =>
  service.logs.some((line) => line.includes('a passkey was refused') && line.includes(reason));

it('S3: a counter that goes back is refused, and the log says so', async () => {
  const { authenticator } = await enrol();
  expect(await signIn(await alone(authenticator, { counter: 40 }))).toEqual([200, undefined]);
  for (const counter of [40, 39, 0])
    expect([counter, await signIn(await alone(authenticator, { counter }))]).toEqual([counter, refused]);
  expect(refusedBecause('counter')).toBe(true);
  expect(await signIn(await alone(authenticator, { counter: 41 }))).toEqual([200, undefined]);
});

it('S3: of two answers with one counter at once, one signs in, and the log says why the other does not', async () => {
  const { authenticator, id } = await enrol();
  const bodies = [await alone(authenticator, { counter: 7 }), await alone(authenticator, { counter: 7 })];
  const holder = await hold(service.database, 'select from auth."user" where id = $1 for update', [id]);
  const answers = bodies.map((body) => signIn(body));
  await untilWaiting(service.database, 2);
  await holder.end();
  expect((await Promise.all(answers)).toSorted()).toEqual([[200, undefined], refused]);
  expect(refusedBecause('used a later counter')).toBe(true);
});

it('S6: an unknown passkey, a wrong answer and a removed one look alike, and options name no account', async () => {
  const known = await enrol();
  const stranger = createAuthenticator();
  const { body: options } = await post('passkey/sign-in/options', null);
  expect(options.publicKey).toMatchObject({ allowCredentials: [], userVerification: 'required' });
  const [unknown, wrong] = await Promise.all([
    post('passkey/sign-in', null, await alone(stranger)),
    post('passkey/sign-in', null, await alone(known.authenticator, { rpId: 'evil.example' })),
  ]);
  const shown = ({ status, body }: typeof unknown) => [status, { ...body, request_id: '' }];
  expect(shown(unknown)).toEqual(shown(wrong));
  await expect
    .poll(() =>
      service.sql(`select outcome, details from audit_log where target = $1 and action = 'account.sign_in'`, [
        known.id,
      ]),
    )
    .toEqual([{ outcome: 'failed', details: { by: 'passkey' } }]);
});

it('S6: a banned user does not get in, and a deleted one is unknown', async () => {
  const person = await enrol();
  succeed(await service.post(`/users/${person.id}/ban`, {}));
  const before = await sessionsOf(person.id);
  expect(await signIn(await alone(person.authenticator))).toEqual([403, 'banned']);
  expect(await sessionsOf(person.id)).toBe(before);
  succeed(await service.post(`/users/${person.id}/unban`));
  const waiting = await alone(person.authenticator);
  await expectStatus(204, service.request('DELETE', `/users/${person.id}`));
  expect(await signIn(waiting)).toEqual(refused);
  expect(await service.sql('select from auth.passkey where user_id = $1', [person.id])).toEqual([]);
});

it('T6, T22: a step-up adds no app that was begun beside passkeys, since no mail would tell about it', async () => {
  const { token } = await enrol();
  const { totpURI } = succeed(await post('two-factor/enable', token, { password }));
  const code = (OTPAuth.URI.parse(totpURI) as OTPAuth.TOTP).generate();
  await expectCode('invalid_code', post('step-up', token, { password, code }));
  expect(succeed(await post('two-factor/options', token))).toMatchObject({ app: false });
  succeed(await post('two-factor/verify-totp', token, { code }));
  expect(succeed(await post('two-factor/options', token))).toMatchObject({ app: true });
});

it('L1, S6, S7: wrong answers count, by passkey and address, and as codes do', async () => {
  const { authenticator, challenge } = await enrol();
  const wrong = { rpId: 'evil.example' };
  for (let i = 0; i < 10; i++) expect(await signIn(await alone(authenticator, wrong))).toEqual(refused);
  expect(await signIn(await alone(authenticator))).toEqual([429, 'rate_limited']);
  const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
  const body = await alone(authenticator);
  const owner = service.request('POST', '/api/auth/passkey/sign-in', {
    token: null,
    body,
    headers: elsewhere,
  });
  await expectStatus(200, owner);
  for (let i = 0; i < 10; i++) {
    const twoFactorToken = await challenge();
    const proof = await second(authenticator, { twoFactorToken }, wrong);
    const answer = await post('two-factor/verify-passkey', null, { ...proof, twoFactorToken });
    expect(codeOf(answer)).toEqual(refused);
  }
  const twoFactorToken = await challenge();
  const code = await post('two-factor/verify-backup-code', null, { code: 'x', twoFactorToken });
  expect(codeOf(code)).toEqual([429, 'rate_limited']);
});

it('L1, S7: an answer that proves nothing leaves the count of wrong codes as it was', async () => {
  const { authenticator, token } = await enrol(createAuthenticator({ counts: false }));
  const stepUp = async (body: object) => codeOf(await post('step-up', token, body));
  const used = { passkey: await second(authenticator, { token }) };
  expect(await stepUp(used)).toEqual([200, undefined]);
  // Without a password, nobody can tell that its user has approved this one.
  const unverified = { passkey: await second(authenticator, { token }, { verifiesUser: false }) };
  const wrong = { password, code: 'wrong' };
  for (let i = 0; i < 4; i++) {
    expect(await stepUp(wrong)).toEqual([401, 'invalid_code']);
    expect(await stepUp(used)).toEqual(dead);
  }
  expect(await stepUp(unverified)).toEqual([400, 'invalid_request']);
  expect(await stepUp(wrong)).toEqual([401, 'invalid_code']);
  expect(await stepUp(wrong)).toEqual([429, 'rate_limited']);
});

it('S3: asking for options stores nothing, and what is stored ends', async () => {
  const rows = async () =>
    (await service.sql(
      'select count(*)::int n from auth.proof_use union all select count(*)::int from auth.verification',
    )) as object[];
  const before = await rows();
  for (let i = 0; i < 20; i++) succeed(await post('passkey/sign-in/options', null));
  expect(await rows()).toEqual(before);
  const { authenticator } = await enrol();
  expect(await signIn(await alone(authenticator))).toEqual([200, undefined]);
  await service.advanceClock(2 * 60 * 60_000);
  await service.runTask('delete expired sessions and tokens');
  expect(await service.sql('select from auth.proof_use')).toEqual([]);
  await service.advanceClock(0);
});

it('S6: the session of a passkey commits with its row in the log, so that what ends it comes before or after', async () => {
  const { authenticator, id } = await enrol();
  const before = await sessionsOf(id);
  const body = await alone(authenticator);
  const holder = await hold(service.database, 'lock table audit_log in exclusive mode');
  const answer = signIn(body);
  await untilWaiting(service.database, 1);
  expect(await sessionsOf(id)).toBe(before);
  await commit(holder);
  expect(await answer).toEqual([200, undefined]);
  expect(await sessionsOf(id)).toBe(before + 1);
});

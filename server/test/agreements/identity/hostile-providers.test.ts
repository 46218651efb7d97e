// A provider that its owner wrote to harm: keys and tokens that no honest one sends.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { expect, it } from 'vitest';
import { codeOf, expectStatus, times, useCast } from '../../stage/cast.ts';
import { createCompany, createTravel, environment } from '../../stage/connection-stage.ts';
import { listen } from '../../stage/listen.ts';
import { hold, untilWaiting } from '../../stage/locks.ts';

const { service, cast } = useCast({ ...environment, CONCORD_TRUSTED_PROXIES: '127.0.0.1' });
const travel = createTravel(service);
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const header = { alg: 'RS256', kid: 'one' };
const jwk = { ...(await exportJWK(publicKey)), ...header };
const sign = (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
const logout = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** A company whose provider answers whatever `answers` has: a document, or a status without one. */
async function useHostile() {
  const answers = { keys: { keys: [jwk] } as object | number, token: '', failing: 0 };
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const found = documents[url]?.() ?? 404;
    if (typeof found === 'number') return response.writeHead(found).end();
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  });
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const [authorization_endpoint, token_endpoint, jwks_uri] = [
    `${issuer}/go`,
    `${issuer}/token`,
    `${issuer}/keys`,
  ];
  const documents: Record<string, () => object | number> = {
    '/.well-known/openid-configuration': () => ({ issuer, authorization_endpoint, token_endpoint, jwks_uri }),
    '/keys': () => answers.keys,
    '/token': () => answers.failing || { access_token: 'x', token_type: 'bearer', id_token: answers.token },
  };
  const company = await createCompany(service, { issuer });
  await company.oidc.close();
  const now = Math.floor(Date.now() / 1_000);
  const base = { iss: issuer, aud: 'concord', sub: 'one', iat: now, exp: now + 300 };
  return {
    company,
    asked,
    answers,
    revise: (by: number) =>
      service.sql('update identity_connection set revision = revision + $2 where id = $1', [
        company.uuid,
        by,
      ]),
    async signIn(make: (claims: JWTPayload) => string | Promise<string>) {
      const { url, cookie } = await travel.start(company);
      const { state = '', nonce } = Object.fromEntries(new URL(url).searchParams);
      answers.token = await make({ ...base, nonce, email: `one@${company.domain}` });
      const back = new URL(`${company.callback}?code=code&state=${state}`);
      return codeOf(await travel.comeBack(back, cookie));
    },
    async logOut(address = '192.0.2.1') {
      const token = await sign({ ...base, jti: randomUUID(), events: logout });
      return codeOf(
        await service.request('POST', `/api/auth/connections/${company.connection}/backchannel-logout`, {
          token: null,
          body: `logout_token=${token}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
        }),
      );
    },
  };
}
const refused = [400, 'provider_refused'];
const unavailable = [503, 'provider_unavailable'];

it('K11: a token that nobody signed, or that is about somebody or something else, signs nobody in', async () => {
  const { signIn } = await useHostile();
  const forms: ((claims: JWTPayload) => string | Promise<string>)[] = [
    (claims) => new UnsecuredJWT(claims).encode(),
    // With the public key as the shared secret.
    (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(Buffer.from(JSON.stringify(jwk))),
    (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ ...header, crit: ['x'], x: 1 })
        .sign(privateKey, { crit: { x: true } }),
    ({ nonce: _, ...claims }) => sign(claims),
    (claims) => sign({ ...claims, aud: ['other'] }),
    (claims) => sign({ ...claims, exp: '9999999999' as unknown as number }),
    ...['', 'a\0b', 's'.repeat(10_000)].map((sub) => (claims: JWTPayload) => sign({ ...claims, sub })),
    (claims) => sign({ ...claims, email: 'one@of-another-partner.example' }),
  ];
  for (const form of forms) expect([form.toString(), await signIn(form)]).toEqual([form.toString(), refused]);
  expect(await signIn(sign)).toEqual([200, undefined]);
});

it('K11: the clock of a provider may differ by a minute', async () => {
  const { signIn } = await useHostile();
  const shifted = (by: number, from: 'nbf' | 'exp') => (claims: JWTPayload) =>
    sign({ ...claims, [from]: Math.floor(Date.now() / 1_000) + by });
  for (const [form, told] of [
    [shifted(45, 'nbf'), [200, undefined]],
    [shifted(-45, 'exp'), [200, undefined]],
    [shifted(90, 'nbf'), refused],
    [shifted(-61, 'exp'), refused],
  ] as const)
    expect(await signIn(form)).toEqual(told);
});

it('K12: keys of more than 2,000 values are refused before anything compares them', async () => {
  const { answers, signIn, logOut } = await useHostile();
  const key_ops = Array.from({ length: 2_000 }, (_, n) => n.toString(36));
  for (const keys of [[{ ...jwk, key_ops }], Array(2_000).fill({})]) {
    answers.keys = { keys };
    expect([await signIn(sign), await logOut()]).toEqual([unavailable, unavailable]);
  }
  answers.keys = { keys: [jwk, ...Array.from({ length: 150 }, (_, n) => ({ ...jwk, kid: `other ${n}` }))] };
  expect([await signIn(sign), await logOut()]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
});

it('K12, K18: a logout whose keys cannot be had is 503, so that the provider sends it again', async () => {
  const { answers, logOut } = await useHostile();
  answers.keys = 502;
  expect(await logOut()).toEqual(unavailable);
  answers.keys = { keys: [jwk] };
  expect(await logOut()).toEqual([200, undefined]);
});

it('K12: a sign-in that the provider fails to answer is 503; one that it refuses is not', async () => {
  const { answers, signIn } = await useHostile();
  for (const [status, told] of [
    [400, refused],
    [500, unavailable],
    [503, unavailable],
    [0, [200, undefined]],
  ] as const) {
    answers.failing = status;
    expect([status, await signIn(sign)]).toEqual([status, told]);
  }
});

it('K12: one provider is kept for each connection, however often its owner changes it', async () => {
  const { asked, revise, signIn } = await useHostile();
  for (const by of [0, 1, -1]) {
    await revise(by);
    await signIn(sign);
  }
  expect(asked.filter((url) => url.startsWith('/.well-known'))).toHaveLength(3);
});

it('L14: logouts of many addresses that wait for their partner leave connections to everybody else', async () => {
  const { company, logOut } = await useHostile();
  // The keys are known then.
  expect(await logOut()).toEqual([200, undefined]);
  const other = await cast.partner();
  const change = 'select from partner where id = $1 for no key update';
  const holder = await hold(service.database, change, [company.partnerId]);
  const logouts = times(20, (n) => logOut(`192.0.2.${n}`));
  await untilWaiting(service.database, 5, 'from partner');
  await expectStatus(200, service.patch(`/partners/${other}`, { name: 'Other' }));
  await holder.query('rollback');
  await holder.end();
  expect(await Promise.all(logouts)).toEqual(times(20, () => [200, undefined]));
});

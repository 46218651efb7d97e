// Endpoints whose receivers demand an access token of OAuth 2.0 client credentials (behaviour W71).
import { createServer, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { expectFault, expectStatus, pluck } from '../../stage/cast.ts';
import { listen } from '../../stage/listen.ts';
import type { Received } from '../../stage/receiver.ts';
import { everyTable } from '../../stage/rows.ts';
import { answerToken, clientOf, type TokenServer, useTokenServer } from '../../stage/token-server.ts';
import { endedCheck, only, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, newPartner } = useWebhookStage({ CONCORD_WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s' });

/** Accepts tokens of this server only. */
const guardedBy =
  (server: TokenServer) =>
  ({ headers }: Received, response: ServerResponse) =>
    response.writeHead(server.accepts(headers.authorization) ? 204 : 401).end();

const lock = async (server: TokenServer, terms: object = {}) => {
  const url = receiver.url(guardedBy(server));
  const partner = await newPartner(url, { authentication: clientOf(server), ...terms });
  return { ...partner, url };
};
const firstAttempt = async (partner: WebhookPartner, status: string) =>
  (await only(partner, status)).attempts[0];

it('W71: requests have a token, which all attempts share', async () => {
  const server = await useTokenServer();
  const partner = await lock(server);
  await partner.publishMany(20);
  await receiver.count(partner.url, 20);
  await expect.poll(async () => new Set(await partner.statuses())).toEqual(new Set(['delivered']));
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.headers).toMatchObject({ accept: 'application/json' });
  expect(new Set(receiver.at(partner.url).map(({ headers }) => headers.authorization)).size).toBe(1);
});

it('W71: after a 401 the request goes once more, with another token and another signature, in one attempt', async () => {
  const server = await useTokenServer();
  const partner = await lock(server);
  await partner.publish();
  await only(partner, 'delivered');
  server.revokeAll();
  const event = await partner.publish(2);
  await receiver.count(partner.url, 3);
  await expect.poll(partner.statuses).toEqual(['delivered', 'delivered']);
  const [, refused, accepted] = receiver.at(partner.url);
  expect(server.requests).toHaveLength(2);
  expect([refused?.attempt, accepted?.attempt]).toEqual([1, 1]);
  expect(accepted?.headers.authorization).not.toBe(refused?.headers.authorization);
  expect(accepted?.headers.signature).not.toBe(refused?.headers.signature);
  const [{ id }] = await partner.deliveries(`?filter[event_id]=${event}`);
  const { attempts } = await partner.delivery(id);
  expect(attempts).toMatchObject([{ status_code: 204 }]);
  // The request that is shown is the one that was accepted.
  const shown = await partner.get(`deliveries/${id}/attempts/1`);
  expect(JSON.stringify(shown.request.headers)).toContain(accepted?.headers.signature);
});

it('W71: a second 401 is the result of the attempt', async () => {
  const server = await useTokenServer({ lifeSeconds: 0 });
  const partner = await lock(server, { retry_schedule: [] });
  await partner.publish();
  expect(await firstAttempt(partner, 'failed')).toMatchObject({ status_code: 401, error: null });
  expect([receiver.at(partner.url).length, server.requests.length]).toEqual([2, 2]);
});

it('W71, W15, W24: without a token the attempt fails for the reason token, and is tried again', async () => {
  const server = await useTokenServer();
  server.answer((response) =>
    answerToken(response, { error: 'invalid_client', error_description: 'x' }, 401),
  );
  const partner = await lock(server, { retry_schedule: [4, 1, 1] });
  await partner.publish();
  await expect.poll(() => server.requests.length).toBe(1);
  await expect.poll(() => partner.deliveries('?filter[reason]=token')).toMatchObject([{ reason: 'token' }]);
  server.answer(undefined);
  const { attempts } = await only(partner, 'delivered');
  expect(attempts[0]).toMatchObject({
    status_code: null,
    error: 'token: the token URL answered 401 invalid_client',
  });
  const unsigned = await partner.get(`deliveries/${(await partner.deliveries())[0].id}/attempts/1`);
  expect(unsigned.request).toBeNull();
  const { failed } = await partner.get(`webhook-endpoints/${partner.endpoint}/stats`);
  expect(failed).toContainEqual({ reason: 'token', count: expect.any(Number) });
});

it('W71, W14: the token and the request share the time of the attempt', async () => {
  const server = await useTokenServer();
  server.answer(() => {});
  const partner = await lock(server, { timeout_seconds: 3, retry_schedule: [] });
  await partner.publish();
  const attempt = await firstAttempt(partner, 'failed');
  // Which of the two ends first is not certain.
  expect(attempt.error).toMatch(
    /^token: no (?:token in the time of the attempt|answer of the token URL: no status within (?:[12]?\d{1,3}|3000) ms)$/,
  );
});

it('W71: what is shown has no secret, a change replaces all of it, and the next attempt uses it', async () => {
  const [first, second] = [await useTokenServer(), await useTokenServer()];
  const partner = await lock(first, { retry_schedule: [] });
  const { client_secret: _, ...shown } = clientOf(first);
  expect((await partner.read()).authentication).toEqual({
    ...shown,
    scope: null,
    audience: null,
    client_authentication: 'basic',
  });
  await partner.publish();
  await receiver.count(partner.url, 1);
  await expectStatus(
    200,
    partner.change({ authentication: clientOf(second, { client_authentication: 'form' }) }),
  );
  await expectStatus(200, partner.change({ url: receiver.url(guardedBy(second)) }));
  await partner.publish(2);
  await expect.poll(async () => new Set(await partner.statuses())).toEqual(new Set(['delivered']));
  expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  expect(second.requests[0]?.form).toMatchObject({ client_id: shown.client_id });
  const bare = receiver.url();
  await expectStatus(200, partner.change({ url: bare, authentication: null }));
  await partner.publish(3);
  const [last] = await receiver.count(bare, 1);
  expect(last?.headers.authorization).toBeUndefined();
});

it('W71: an own header Authorization, and a token URL that may not be used, are 400', async () => {
  const server = await useTokenServer();
  const authentication = clientOf(server);
  const headers = { AUTHORIZATION: 'Bearer x' };
  const partner = await lock(server);
  const create = (body: object) =>
    partner.send('POST', 'webhook-endpoints', { url: 'https://hooks.example.com/', ...body });
  const { client_secret: _, ...incomplete } = authentication;
  const wrong: [() => ReturnType<typeof create>, string][] = [
    [() => partner.change({ headers }), '/headers'],
    [() => create({ headers, authentication }), '/authentication'],
    [() => create({ authentication: incomplete }), '/authentication/client_secret'],
    [() => create({ authentication: { ...authentication, more: 1 } }), '/authentication/more'],
    [
      () => create({ authentication: { ...authentication, client_secret: 'ü' } }),
      '/authentication/client_secret',
    ],
    [() => create({ authentication: { ...authentication, scope: 'a  b' } }), '/authentication/scope'],
    ...['http://10.0.0.1/token', 'https://u:p@id.example/', 'ftp://id.example/', 'https://id.example/#a'].map(
      (token_url): [() => ReturnType<typeof create>, string] => [
        () => create({ authentication: { ...authentication, token_url } }),
        '/authentication/token_url',
      ],
    ),
  ];
  for (const [request, pointer] of wrong) {
    await expectFault(pointer, request());
  }
  await expectStatus(200, partner.change({ headers, authentication: null }));
  await expectStatus(400, partner.change({ authentication }));
  await expectStatus(200, partner.change({ headers: null, authentication }));
});

it('W71, W25: another origin needs the authentication again, so that nobody gets a token of another receiver', async () => {
  const server = await useTokenServer();
  const partner = await lock(server);
  const url = 'https://evil.example/';
  const refused = await partner.change({ url });
  expect([refused.status, refused.body.code, refused.body.errors]).toMatchObject([
    400,
    'endpoint_authentication_required',
    [{ pointer: '/authentication', code: 'required' }],
  ]);
  await expectStatus(200, partner.change({ url: partner.url.replace('/hooks', '/other') }));
  await expectStatus(200, partner.change({ url, authentication: clientOf(server) }));
  await expectStatus(200, partner.change({ url: 'https://other.example/', authentication: null }));
  await expectStatus(200, partner.change({ url }));
});

it('W71: an answer that repeats the token escaped does not show it', async () => {
  const server = await useTokenServer();
  const token = 'abc/def+SECRET/x-y~z==';
  server.answer((response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token: token, token_type: 'Bearer' })),
  );
  const written = (form: (character: string) => string) => token.replaceAll(/[^A-Za-z0-9]/g, form);
  const hex = (character: string) => character.charCodeAt(0).toString(16);
  const forms = [
    JSON.stringify(token).replaceAll('/', '\\/'),
    JSON.stringify(JSON.stringify(token).replaceAll('/', '\\/')),
    written((character) => `\\u00${hex(character)}`),
    written((character) => `\\u00${hex(character).toUpperCase()}`),
    encodeURIComponent(token),
    encodeURIComponent(token).toLowerCase().replace('secret', 'SECRET'),
    encodeURIComponent(encodeURIComponent(token)),
    written((character) => `&#x${hex(character)};`),
    written((character) => `&#${character.charCodeAt(0)};`),
    `${token} ${encodeURIComponent(token)}`,
  ];
  let turn = 0;
  const url = receiver.url((_, response) => response.writeHead(500).end(`at ${forms[turn++]} end`));
  const partner = await newPartner(url, { authentication: clientOf(server), retry_schedule: [] });
  for (const [index, form] of forms.entries()) {
    const event = await partner.publish();
    await partner.until('failed', index + 1);
    const [delivery] = await partner.deliveries(`?filter[event_id]=${event}`);
    const [attempt] = (await partner.delivery(delivery.id)).attempts;
    expect(attempt.response_body, form).toEqual(expect.stringMatching(/^at .*\[token\].* end$/));
    expect(attempt.response_body).not.toContain('SECRET');
  }
});

it('W71: no answer, log, audit row or row of the database has the secret or a token', async () => {
  const server = await useTokenServer();
  // As debugging pages do.
  const url = receiver.url(({ headers }, response) =>
    response.writeHead(server.accepts(headers.authorization) ? 200 : 401).end(JSON.stringify(headers)),
  );
  const partner = { ...(await newPartner(url, { authentication: clientOf(server) })), url };
  await partner.publish();
  const { attempts } = await only(partner, 'delivered');
  expect(attempts[0].response_body).toContain('Bearer [token]');
  server.revokeAll();
  await partner.publish(2);
  await receiver.count(partner.url, 3);
  await expect.poll(partner.statuses).toEqual(['delivered', 'delivered']);
  const [{ id }] = await partner.deliveries();
  const paths = ['', 'webhook-endpoints', 'audit-log', 'deliveries', 'events', `deliveries/${id}/attempts/1`];
  const answers = await Promise.all(paths.map((path) => partner.send('GET', path)));
  const { client_id, client_secret } = clientOf(server);
  const texts = [...answers.map(({ text }) => text), ...(await everyTable(service)), ...service.logs];
  // The client id is there, so the search finds what is there.
  expect(texts.some((text) => text.includes(client_id))).toBe(true);
  const hidden = [client_secret, 'of-the-server'].flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
  ]);
  for (const text of texts) for (const secret of hidden) expect(text).not.toContain(secret);
  const [logged] = await partner.get('audit-log?filter[action]=webhook_endpoint.create');
  expect(logged.changes.authentication.after.token_url).toBe(new URL(server.url).origin);
});

it('W71, W61: the check of an endpoint has a token too', async () => {
  const server = await useTokenServer();
  const receiver = createServer(({ headers }, response) =>
    response.writeHead(server.accepts(headers.authorization) ? 204 : 401).end(),
  );
  const port = await listen(receiver);
  const authentication = clientOf(server);
  const partner = await newPartner(`http://127.0.0.1:${port}/`, { authentication });
  await expectStatus(202, partner.act('check'));
  const { cases } = await endedCheck(partner);
  const passed = cases.filter((each: { status: string }) => each.status === 'passed');
  // It verifies no signature, so it accepts everything.
  expect(pluck(passed, 'name')).toEqual([
    'accepts_good',
    'accepts_largest_body',
    'accepts_same_delivery_twice',
  ]);
});

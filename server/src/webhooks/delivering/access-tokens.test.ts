// Tokens over real sockets: how long each is used, and what a token URL can do.
import { randomUUID } from 'node:crypto';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createPeers, flood } from '../../../test/stage/peers.ts';
import { answerToken, clientOf, type TokenServer, useTokenServer } from '../../../test/stage/token-server.ts';
import { createDestinations } from '../../base/egress/index.ts';
import { createSend } from '../../base/egress/send.ts';
import { type Client, createSealings } from '../endpoints/secrets.ts';
import { createAccessTokens } from './access-tokens.ts';

const peers = createPeers();
afterEach(peers.closeAll);
const secrets = [{ version: 1, value: 'a secret for the tests of tokens' }];
const { authentication } = createSealings(secrets);
const whole = { scope: null, audience: null, client_authentication: 'basic' };

function start({ allowedCidrs = ['127.0.0.0/8'], timeoutMs = 5_000 } = {}) {
  let clock = 0;
  const destinations = createDestinations({ allowedCidrs, allowHttp: true });
  const { send } = createSend({ destinations, timeoutMs });
  const tokens = createAccessTokens({ send, destinations, authentication, now: () => clock });
  return {
    pass(ms: number) {
      clock += ms;
    },
    /** Asks for tokens of an endpoint with this client. */
    of(server: Pick<TokenServer, 'url'>, others: object = {}) {
      const endpointId = randomUUID();
      const client = clientOf(server, { ...whole, ...others }) as Client;
      const seal = () => authentication.seal(endpointId, client);
      let sealed = seal();
      return {
        change() {
          sealed = seal();
        },
        get: (refused?: string) => tokens.get({ endpointId, sealed, userAgent: 'test', timeoutMs, refused }),
      };
    },
  };
}
const tokenOf = (got: object) => ('value' in got ? got.value : got);

it('W71: a token is used for its life but the last tenth, 30 s at most, and five minutes if none is given', async () => {
  for (const [expires, usableMs] of [
    [60, 54_000],
    ['60', 54_000],
    [3_600, 3_570_000],
    [undefined, 270_000],
    ['soon', 270_000],
    [-1, 270_000],
    [1e12, 86_370_000],
  ] as const) {
    const server = await useTokenServer();
    let made = 0;
    server.answer((response) =>
      answerToken(response, { access_token: `t${++made}`, token_type: 'bearer', expires_in: expires }),
    );
    const { of, pass } = start();
    const endpoint = of(server);
    const first = tokenOf(await endpoint.get());
    pass(usableMs - 1);
    const last = tokenOf(await endpoint.get());
    pass(1);
    expect([expires, first, last, tokenOf(await endpoint.get())]).toEqual([expires, 't1', 't1', 't2']);
  }
});

it('W71: one request at a time for an endpoint, and none for a token that is known', async () => {
  const server = await useTokenServer();
  const { of } = start();
  const [one, other] = [of(server), of(server)];
  const got = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).get()));
  expect([new Set(got.map(tokenOf)).size, server.requests.length]).toEqual([2, 2]);
  expect(tokenOf(await one.get())).toBe(tokenOf(await one.get()));
  expect(server.requests).toHaveLength(2);
});

it('W71: a refused token is fetched again once, however many attempts have used it; a change forgets it', async () => {
  const server = await useTokenServer();
  const endpoint = start().of(server);
  const first = String(tokenOf(await endpoint.get()));
  const again = await Promise.all([endpoint.get(first), endpoint.get(first), endpoint.get(first)]);
  const second = String(tokenOf(again[0]));
  expect([again.map(tokenOf), server.requests.length]).toEqual([[second, second, second], 2]);
  // Late: the token that it had is not the present one.
  expect(tokenOf(await endpoint.get(first))).toBe(second);
  endpoint.change();
  expect(tokenOf(await endpoint.get())).not.toBe(second);
  expect(server.requests).toHaveLength(3);
});

it('W71: id and secret go as RFC 6749 says, in the header or in the body', async () => {
  const server = await useTokenServer();
  const { of } = start();
  await of(server).get();
  await of(server, { client_authentication: 'form', scope: 'a b', audience: 'https://api.example' }).get();
  const [basic, form] = server.requests;
  const { client_id, client_secret } = clientOf(server);
  const [user, password] = Buffer.from(String(basic?.headers.authorization).slice('Basic '.length), 'base64')
    .toString()
    .split(':')
    .map((text) => new URLSearchParams(`x=${text}`).get('x'));
  expect([user, password]).toEqual([client_id, client_secret]);
  expect(basic?.form).toEqual({ grant_type: 'client_credentials' });
  expect(form?.headers.authorization).toBeUndefined();
  const asked = { grant_type: 'client_credentials', scope: 'a b', audience: 'https://api.example' };
  expect(form?.form).toEqual({ ...asked, client_id, client_secret });
});

it('W71: an answer that is no token is a failure in plain words, without text of the token URL', async () => {
  const server = await useTokenServer();
  const { of } = start();
  const bearer = { token_type: 'Bearer', expires_in: 60 };
  const not = (what: string) => `the token URL answered 200 without ${what}`;
  const object = not('a JSON object that has an access_token');
  const visible = not('an access_token of 1 to 8192 visible ASCII characters');
  const answers: [number, string | object, string][] = [
    [
      400,
      { error: 'invalid_client', error_description: 'secret text' },
      'the token URL answered 400 invalid_client',
    ],
    [401, { error: 'secret text' }, 'the token URL answered 401'],
    [401, { error: { toString: 1 } }, 'the token URL answered 401'],
    [500, '<html>secret text</html>', 'the token URL answered 500'],
    [201, { access_token: 'x', ...bearer }, 'the token URL answered 201'],
    [200, '<html>secret text</html>', object],
    [200, 'null', object],
    [200, '['.repeat(60_000), object],
    [200, { access_token: 7, ...bearer }, object],
    [200, { access_token: '', ...bearer }, visible],
    [200, { access_token: 'x\r\nX-Evil: 1', ...bearer }, visible],
    [200, { access_token: 'x'.repeat(8_193), ...bearer }, visible],
    [200, { access_token: 'x', token_type: 'mac' }, not('the token_type Bearer')],
    [200, { access_token: 'x', token_type: { toString: 1 } }, not('the token_type Bearer')],
    [200, { access_token: 'x' }, not('the token_type Bearer')],
    [302, '', 'the token URL answered 302; redirects are not followed'],
  ];
  for (const [status, body, detail] of answers) {
    server.answer((response) =>
      response
        .writeHead(status, { location: server.url })
        .end(typeof body === 'string' ? body : JSON.stringify(body)),
    );
    expect([body, await of(server).get()]).toEqual([body, { detail }]);
  }
  expect(server.requests).toHaveLength(answers.length);
});

it('W71, W21, W23: a token URL that hangs, floods, is away or points inward is a failure', async () => {
  const silent = await peers.speak(() => {});
  const flooding = await peers.speak((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      void flood(socket, 'x');
    });
  });
  const closed = await peers.listen(createTcpServer());
  peers.closeLast();
  const { of } = start({ timeoutMs: 300 });
  const detailOf = async (port: number, host = '127.0.0.1') =>
    of({ url: `http://${host}:${port}/token` }).get();
  expect(await detailOf(silent)).toEqual({ detail: 'no answer of the token URL: no status within 300 ms' });
  expect(await detailOf(flooding)).toEqual({
    detail: 'the token URL answered 200 without a JSON object that has an access_token',
  });
  expect(await detailOf(closed)).toEqual({
    detail: 'no answer of the token URL: the connection was refused (ECONNREFUSED)',
  });
  const refused = 'its address is in a private or special-purpose range';
  expect(
    await start({ allowedCidrs: [] })
      .of({ url: `http://localhost:${silent}/` })
      .get(),
  ).toEqual({
    detail: `no answer of the token URL: ${refused}`,
  });
  expect(
    await start({ allowedCidrs: [] })
      .of({ url: `http://127.0.0.1:${silent}/` })
      .get(),
  ).toMatchObject({
    detail: expect.stringMatching(/^the token URL must not be an address in a private/),
  });
});

it('W71: a failure is shared for three seconds', async () => {
  const server = await useTokenServer();
  server.answer((response) => answerToken(response, {}, 503));
  const { of, pass } = start();
  const endpoint = of(server);
  for (let i = 0; i < 5; i++) await endpoint.get();
  expect(server.requests).toHaveLength(1);
  server.answer(undefined);
  pass(2_999);
  expect(await endpoint.get()).toEqual({ detail: 'the token URL answered 503' });
  pass(1);
  expect(await endpoint.get()).toHaveProperty('value');
  expect(server.requests).toHaveLength(2);
});

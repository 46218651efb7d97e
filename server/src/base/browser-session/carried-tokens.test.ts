import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { createServer } from '../feature.ts';
import { anyone } from '../http/server.ts';
import { createBrowserSession } from './index.ts';

it('B4: an operation that sends text with a token answers 500 to the console, and shows no token', async () => {
  const SignedIn = Type.Object({ token: Type.String() });
  const server = await createServer(
    [
      createBrowserSession({ baseUrl: 'https://concord.test' }),
      {
        routes(http) {
          const route = (operationId: string) => ({
            onRequest: anyone,
            schema: { operationId, response: { 200: SignedIn } },
          });
          http.get('/object', route('object'), async () => ({ token: 'x'.repeat(32) }));
          http.get('/text', route('text'), async (_, reply) =>
            reply.type('application/json').send(`{"token":"${'x'.repeat(32)}"}` as never),
          );
        },
      },
    ],
    { logger: pino({ level: 'silent' }), trustedProxies: [], isReady: async () => true },
  );
  const get = (url: string) =>
    server.inject({ url, headers: { host: 'x', 'sec-fetch-site': 'same-origin' } });
  expect((await get('/text')).body).toContain('xxx');
  const object = await get('/console/api/object');
  expect([object.statusCode, object.body, object.headers['set-cookie']]).toEqual([
    200,
    '{}',
    expect.stringContaining('=xxx'),
  ]);
  const text = await get('/console/api/text');
  expect([text.statusCode, text.headers['set-cookie']]).toEqual([500, undefined]);
  expect(text.body).not.toContain('xxx');
  await server.close();
});

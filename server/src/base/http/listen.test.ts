// The end of a server, over real sockets.
import { Agent, get } from 'node:http';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { closeServer, openPort } from './listen.ts';
import { anyone, createHttpServer } from './server.ts';

async function start() {
  const server = createHttpServer({ logger: pino({ level: 'silent' }), trustedProxies: ['127.0.0.1'] });
  server.get('/', { onRequest: anyone }, async () => 'answer');
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.get('/slow', { onRequest: anyone }, async () => {
    begun.resolve();
    await end.promise;
    return 'answer';
  });
  const port = await openPort(server, { host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string) =>
    new Promise((resolve, reject) => {
      get({ port, path, agent }, (answer) => {
        answer.resume().once('end', () => resolve([answer.statusCode, answer.headers.connection]));
      }).once('error', reject);
    });
  return { server, ask, begun, end };
}

it('O55: a request on a connection that a proxy has kept is still answered as a stop begins, and closes it', async () => {
  const { server, ask } = await start();
  expect(await ask('/')).toEqual([200, 'keep-alive']);
  const closed = closeServer(server, { drainMs: 2_000, patienceMs: 9_000 });
  expect(await ask('/')).toEqual([200, 'close']);
  await closed;
});

it('O55: the answer to a request that came before the stop closes its connection', async () => {
  const { server, ask, begun, end } = await start();
  const answer = ask('/slow');
  await begun.promise;
  const closed = closeServer(server, { drainMs: 0, patienceMs: 9_000 });
  end.resolve();
  expect(await answer).toEqual([200, 'close']);
  await closed;
});

it.each(['192.0.2.1', 'fe80::1%none'])(
  'O76: a start on HOST %s says that it is no address of this machine',
  async (host) => {
    const server = createHttpServer({ logger: pino({ level: 'silent' }), trustedProxies: [] });
    await expect(openPort(server, { host, port: 0 })).rejects.toThrow(`HOST ${host} is not an address`);
    await server.close();
  },
);

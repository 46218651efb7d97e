// The doctor at real servers of this machine: an SMTP server, an egress proxy, and ports where nobody
// listens.
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { checkEgress, checkMailServer, reasonOf } from './network.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const shown = async (findings: ReturnType<typeof checkEgress>) =>
  (await findings).map(({ level, text }) => `${level} ${text}`);
const mailAt = (url: string) => shown(checkMailServer(readConfig({ CONCORD_SMTP_URL: url }).config));

it('O48: signs in to the mail server, and sends no mail', async () => {
  const commands: string[] = [];
  const smtp = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      commands.push(`sign-in of ${username}`);
      done(password === 'right' ? null : new Error('wrong password'), { user: username });
    },
    onMailFrom(_address, _session, done) {
      commands.push('mail');
      done();
    },
  });
  smtp.on('error', () => {});
  const port = await listen(smtp.server);
  expect(await mailAt(`smtp://ann:right@127.0.0.1:${port}`)).toEqual([
    `ok The mail server 127.0.0.1:${port} accepts the user and password.`,
  ]);
  expect(await mailAt(`smtp://ann:wrong@127.0.0.1:${port}`)).toEqual([
    expect.stringMatching(
      /^error The mail server 127\.0\.0\.1:\d+ cannot be used: Invalid login: .*wrong password/,
    ),
  ]);
  expect(commands).toEqual(['sign-in of ann', 'sign-in of ann']);
  expect(await mailAt(`smtps://127.0.0.1:${port}`)).toEqual([
    `error The mail server 127.0.0.1:${port} cannot be used: TLS fails (wrong version number).`,
  ]);
});

it('O48: without a mail server, warns where people of other machines use Concord', async () => {
  const check = async (base: string) =>
    (await checkMailServer(readConfig({ CONCORD_BASE_URL: base }).config)).map(({ level }) => level);
  expect(await check('https://concord.example')).toEqual(['warning']);
  expect(await check('http://127.0.0.1:3000')).toEqual(['note']);
});

it('O48: connects to the egress proxy, asks it for nothing, and looks up names in the settings', async () => {
  const received: unknown[] = [];
  let ended = 0;
  const proxy = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('close', () => ended++);
  });
  const port = await listen(proxy);
  const closed = createServer();
  const nobody = await listen(closed);
  closed.close();
  // A label has at most 63 characters, so no resolver is asked.
  const unresolvable = `${'a'.repeat(64)}.localhost`;
  const check = (proxyUrl: string, base: string) =>
    shown(checkEgress(readConfig({ CONCORD_WEBHOOK_PROXY_URL: proxyUrl, CONCORD_BASE_URL: base }).config));
  expect(await check(`http://user:hunter2@127.0.0.1:${port}`, 'http://localhost:3000')).toEqual([
    'ok Names resolve: localhost.',
    `ok The egress proxy 127.0.0.1:${port} accepts connections.`,
  ]);
  await expect.poll(() => ended).toBe(1);
  expect(received).toEqual([]);
  expect(await check(`http://127.0.0.1:${nobody}`, `https://${unresolvable}`)).toEqual([
    `warning The name ${unresolvable} cannot be resolved here.`,
    `error The egress proxy 127.0.0.1:${nobody} cannot be reached (ECONNREFUSED): no webhook is sent.`,
  ]);
  const late = await once(new EventEmitter(), 'connect', { signal: AbortSignal.abort() }).catch(reasonOf);
  expect(late).toBe('no answer within 5 s');
  expect(await check(`http://127.0.0.1:${port}`, 'http://127.0.0.1:3000')).toContainEqual(
    'note No setting has a name to look up, so the resolver was not tried.',
  );
});

// Signals, while a command waits for a Concord that accepts and never answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn, makeFolder, startCli } from './run-cli.ts';

async function serveNothing() {
  const server = createServer();
  const asked = once(server, 'request');
  const env = { CONCORD_URL: await listenOn(server), CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x' };
  return { asked, env: { ...env, XDG_CONFIG_HOME: makeFolder() } };
}

it.each([
  ['whoami', 130],
  ['deliveries list', 130],
  ['endpoints check whe_x', 130],
  ['login', 130],
  ['events tail', 0],
])('O85: Ctrl-C ends %s, which waits for an answer, with %i', async (line, code) => {
  const { asked, env } = await serveNothing();
  const ending = new AbortController();
  const { output, done } = startCli(line.split(' '), { env, ended: ending.signal });
  await asked;
  ending.abort();
  expect([await done, output.stdout]).toEqual([code, '']);
});

it.each(['login --token-stdin', 'verify -', 'trigger x --data -'])(
  'O85: Ctrl-C ends %s, which waits for stdin',
  async (line) => {
    const { env } = await serveNothing();
    const ending = new AbortController();
    const stdin = Promise.withResolvers<string>();
    const { done } = startCli(line.split(' '), { env, ended: ending.signal, stdin: stdin.promise });
    ending.abort();
    expect(await done).toBe(130);
  },
);

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('O85: %s ends the process with %i', async (signal, code) => {
  const { asked, env } = await serveNothing();
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main, 'whoami'], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await asked;
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
});

it('O85: a reader of stderr that has left changes no exit code', async () => {
  const { asked, env } = await serveNothing();
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main, 'whoami'], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr.destroy();
  const ended = once(child, 'exit');
  const [, response] = (await asked) as [IncomingMessage, ServerResponse];
  response.writeHead(403, { 'content-type': 'application/json' }).end('{"code":"forbidden","message":"No."}');
  expect(await ended).toEqual([3, null]);
});

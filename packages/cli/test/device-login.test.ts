// How `concord login` asks for its token (RFC 8628, section 3.5), of a server that answers what the test says.
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { awaitToken, beginLogin } from '../src/oauth.ts';
import { listenOn, makeFolder, runCli, startCli } from './run-cli.ts';

/** 'cut': the connection ends without an answer. */
type Answer = 'cut' | { status: number; body: unknown };
const failed = (error: string): Answer => ({ status: 400, body: { error, message: error } });
const pending = failed('authorization_pending');
const issued: Answer = { status: 200, body: { access_token: 'concord_pat_x', partner_id: 'ptr_x' } };
const codes = { device_code: 'd', user_code: 'WDJB-MJHT', expires_in: 900, interval: 5 };
const begun = { deviceCode: 'd', userCode: 'WDJB-MJHT', expiresIn: 900, interval: 5 };
const never = new AbortController().signal;

/** Gives the answers in this order, the last one again and again. */
async function serve(...answers: Answer[]): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined || answer === 'cut') request.socket.destroy();
    else {
      const { status, body } = answer;
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    }
  });
  return { url: await listenOn(server) };
}

/** The waits in seconds, and how it ended. No time passes. */
async function ask(...answers: Answer[]) {
  const { url } = await serve(...answers);
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms / 1_000);
  const end = await awaitToken(url, begun, never, wait).catch(({ exit, message }) => [exit, message]);
  return { waits, end };
}

it('T30: login asks at the interval, and more slowly when Concord says so', async () => {
  expect(await ask(pending, failed('slow_down'), pending, failed('slow_down'), issued)).toEqual({
    waits: [5, 5, 10, 10, 15],
    end: { token: 'concord_pat_x', partner: 'ptr_x' },
  });
});

it('T30: login asks again, more slowly, when the connection fails or Concord is busy', async () => {
  const busy: Answer = { status: 429, body: { message: 'Too many' } };
  const { waits, end } = await ask('cut', { status: 503, body: '<html>' }, busy, issued);
  expect([waits, end]).toEqual([[5, 10, 20, 25], { token: 'concord_pat_x', partner: 'ptr_x' }]);
});

it('T30: login ends with the code, also when nothing answers any more', async () => {
  expect((await ask(failed('expired_token'))).end).toEqual(['denied', expect.stringContaining('has ended')]);
  expect((await ask(failed('access_denied'))).end).toEqual(['denied', expect.stringContaining('denied')]);
  expect((await ask(failed('invalid_grant'))).end).toEqual(['refused', 'invalid_grant']);
  const { waits, end } = await ask('cut');
  expect(end).toEqual(['denied', expect.stringContaining('has ended')]);
  const total = waits.reduce((sum, each) => sum + each);
  expect([total >= 900, total < 1_000]).toEqual([true, true]);
});

it('T30: login believes no answer that is not one', async () => {
  for (const body of [
    '<html>',
    null,
    [],
    {},
    { ...codes, user_code: 1 },
    { ...codes, interval: 0 },
    { ...codes, expires_in: null },
  ]) {
    const { url } = await serve({ status: 200, body });
    await expect(beginLogin(url, 'x', never), JSON.stringify(body)).rejects.toMatchObject({
      exit: 'unreachable',
    });
  }
  const elsewhere = await serve({ status: 404, body: { message: 'Not found.' } });
  await expect(beginLogin(elsewhere.url, 'x', never)).rejects.toMatchObject({
    exit: 'unreachable',
    message: expect.stringContaining('Is the URL right?'),
  });
  const { interval: _, ...without } = codes;
  const { url } = await serve({ status: 200, body: without });
  expect(await beginLogin(url, 'x', never)).toEqual(begun);
  for (const body of ['<html>', {}, { access_token: 1 }])
    expect((await ask({ status: 200, body })).end).toEqual([
      'unreachable',
      expect.stringContaining('Concord'),
    ]);
});

it('T30: login opens the page of the URL that it was given, where a person can be asked', async () => {
  const begins: Answer = {
    status: 200,
    body: { ...codes, user_code: '$(x) &"', verification_uri: 'file:///x' },
  };
  for (const [options, args, opens] of [
    [{ hasColours: true, isInteractive: true }, [], true],
    [{ hasColours: true, isInteractive: false }, [], false],
    [{ hasColours: true, isInteractive: true, env: { CI: '1' } }, [], false],
    [{ hasColours: true, isInteractive: true }, ['--json'], false],
  ] as const) {
    const { url } = await serve(begins, pending);
    const ending = new AbortController();
    const env = { XDG_CONFIG_HOME: makeFolder(), ...('env' in options && options.env) };
    const { output, done } = startCli(['login', '--url', url, ...args], {
      ...options,
      env,
      ended: ending.signal,
    });
    await expect.poll(() => output.stderr).toContain('Ctrl-C');
    ending.abort();
    expect(await done).toBe(130);
    const page = `${url}/console/device?user_code=%24(x)%20%26%22`;
    expect(output.started).toEqual(opens ? [['xdg-open', page]] : []);
  }
  expect((await runCli(['login', '--url', 'http://concord.example'])).code).toBe(2);
});

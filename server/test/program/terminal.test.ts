// What a person sees in the terminal of a start: lines for people, and last what to open.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch, newDataDir } from '../stage/launch.ts';
import { createClient, createTestDatabase, secrets, type TestDatabase } from '../stage/start-service.ts';

const password = 'a password for scripts';
const json = /^\{"level":30/m;
const link = /^ {2}http:\/\/concord\.test\/console\/setup#[\w-]{32}$/;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** `script` makes a terminal. The programs of Linux and of other systems take different arguments. */
const inTerminal = (command: string[]) => {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return process.platform === 'linux'
    ? ['script', '-qec', quoted, '/dev/null']
    : ['script', '-q', '/dev/null', ...command];
};

async function start(how: { terminal: boolean }, more: Record<string, string> = {}) {
  const environment = {
    DATABASE_URL: database.url,
    CONCORD_SECRETS: secrets,
    CONCORD_DATA_DIR: newDataDir(),
    CONCORD_BASE_URL: 'http://concord.test',
    CONCORD_LOG_LEVEL: 'info',
    CONCORD_OPERATOR_PASSWORD: password,
    ...more,
  };
  const { child, lines, ended } = launch(environment, [], how.terminal ? { onHost: inTerminal } : {});
  const screen = () => lines.map((line) => line.replace(/\r$/, ''));
  await expect.poll(() => screen().join('\n')).toMatch(/^Concord is ready at \S+$/m);
  const url = /^Concord is ready at (\S+)$/m.exec(screen().join('\n'))![1]!;
  async function stop() {
    // The terminal is closed.
    child.kill('SIGKILL');
    await ended;
    const others = () =>
      database.sql(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    await expect.poll(others).toEqual([]);
  }
  return { url, screen, stop };
}

async function signIn(url: string, email: string): Promise<number> {
  const { request, close } = createClient(url);
  const { status } = await request('POST', '/api/auth/sign-in/email', { body: { email, password } });
  close();
  return status;
}

it('O75: a start in a terminal has lines for people, and without one the log is JSON; both end with the link for the address that signs in, and later with the address of the console', async () => {
  expect(execFileSync('sh', ['-c', 'command -v script'], { encoding: 'utf8' })).toContain('script');
  const first = await start({ terminal: true }, { CONCORD_WORKERS: '1' });
  // The worker has started too.
  await expect.poll(() => database.sql('select from instance')).toHaveLength(2);
  expect(first.screen().join('\n')).not.toMatch(json);
  expect(first.screen().join('\n')).toMatch(/^\S+Z INFO {2}Server listening/m);
  expect(first.screen().at(-1)).toMatch(link);
  expect(first.screen().join('\n')).toContain('sign in as operator@concord.local:');
  await first.stop();

  await database.sql(`update auth."user" set email = 'o''neill@example.com'`);
  const second = await start({ terminal: false });
  const screen = second.screen().join('\n');
  expect(screen).toMatch(json);
  expect(second.screen().at(-1)).toMatch(link);
  expect(screen).toContain("sign in as o'neill@example.com:");
  expect(screen).not.toContain('operator@concord.local');
  const data = execFileSync(
    'sh',
    ['-c', `curl() { printf %s "$5"; }; ${/^ {2}(curl .*)$/m.exec(screen)![1]}`],
    {
      encoding: 'utf8',
    },
  );
  expect(JSON.parse(data)).toEqual({ email: "o'neill@example.com", password: '<password>' });
  expect(await signIn(second.url, "o'neill@example.com")).toBe(200);
  await second.stop();

  const third = await start({ terminal: true }, { CONCORD_LOG_FORMAT: 'json' });
  expect(third.screen().join('\n')).toMatch(json);
  expect(third.screen().at(-1)).toBe('The console: http://concord.test/console/');
  expect(third.screen().join('\n')).not.toContain("o'neill@example.com");
  await third.stop();
});

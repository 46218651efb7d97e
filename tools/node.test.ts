// The launcher of each script: it runs the pinned Node, and is otherwise not noticed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageJson, read, root } from './deploy-files.ts';

const launcher = join(root, 'tools/node.cjs');
const scratch = mkdtempSync(join(tmpdir(), 'concord-node-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const { npm_config_user_agent: _, ...environment } = process.env;

/** With these options it is as under another Node: a process of its own, which stays. */
const other = join(scratch, 'other.cjs');
writeFileSync(other, 'delete process.execve;');
const ways: [string, string[]][] = [
  ['the pinned Node', []],
  ['another Node', ['--require', other]],
];

function run(args: string[], { file = launcher, node = [] as string[], env = {}, input = '' } = {}) {
  const options = { env: { ...environment, ...env }, encoding: 'utf8', input } as const;
  return spawnSync(process.execPath, [...node, file, ...args], options);
}

describe.each(ways)('the launcher under %s', (under, node) => {
  it('O73: runs the Node of package-lock.json with the arguments and the streams, and ends with its code', () => {
    const program = `process.stdin.pipe(process.stderr).on('error', () => {}); console.log(JSON.stringify([process.version, process.argv.slice(1), process.env.PATH, process.pid])); process.stdin.on('end', () => { process.exitCode = 7; });`;
    const ended = run(['--eval', program, 'two words', '$HOME'], { input: 'typed', node });
    expect([ended.status, ended.stderr]).toEqual([7, 'typed']);
    const [version, args, path, pid] = JSON.parse(ended.stdout);
    expect(pid === ended.pid).toBe(under === 'the pinned Node');
    expect([version, args]).toEqual([
      `v${Object.values(packageJson.optionalDependencies)[0]}`,
      ['two words', '$HOME'],
    ]);
    // What the program starts as `node` is the same.
    expect(path.split(':')[0]).toMatch(/node_modules\/node-(bin-)?\w+-\w+\/bin$/);
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGABRT'])('O73: ends as the program does, by %s', (signal) => {
    expect(
      run(['--eval', `process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000);`], { node }),
    ).toMatchObject({
      status: null,
      signal,
    });
  });
});

describe('the launcher', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'O73: passes %s on once, and waits for the end of the program',
    async (signal) => {
      // It counts for as long as its input is open.
      const program = `let count = 0; process.on('${signal}', () => { count++; console.log('got'); }); process.stdin.on('end', () => process.exit(10 + count)).resume(); console.log('ready');`;
      const child = spawn(process.execPath, ['--require', other, launcher, '--eval', program], {
        env: environment,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const ended = once(child, 'exit');
      await expect.poll(() => output).toBe('ready\n');
      child.kill(signal);
      await expect.poll(() => output).toBe('ready\ngot\n');
      // npm repeats a Ctrl-C of the terminal.
      child.kill(signal);
      child.stdin.end();
      expect(await ended).toEqual([11, null]);
    },
  );

  it.each([
    ['16.20.2', undefined, 'Node 16.20.2'],
    ['16.20.2', 'npm/8.19.4 node/v16.20.2 linux x64', 'Node 16.20.2 with npm 8.19.4'],
    ['18.20.8', 'npm/8.19.4 node/v18.20.8 linux x64', 'Node 18.20.8 with npm 8.19.4'],
  ])('O73: Node %s with %s gets one sentence that says what to do', (version, agent, found) => {
    const preload = join(scratch, 'version.cjs');
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
    );
    const options = {
      node: ['--require', preload],
      env: agent === undefined ? {} : { npm_config_user_agent: agent },
    };
    const sentence = `Concord needs Node 18 or later with npm 9 or later, and this is ${found}: install newer ones, then run npm ci.\n`;
    expect(run(['--version'], options)).toMatchObject({
      status: 1,
      signal: null,
      stdout: '',
      stderr: sentence,
    });
  });

  it('O73: says so when the Node is not installed', () => {
    const file = join(scratch, 'tools/node.cjs');
    mkdirSync(dirname(file));
    copyFileSync(launcher, file);
    expect(run(['--version'], { file })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The Node that Concord runs on is not installed for \S+: run npm ci, without --omit=optional\.\n$/,
      ),
    });
  });
});

it('O73: each script runs the launcher, and no program by a name that an older Node could get', () => {
  for (const path of ['package.json', 'console/package.json']) {
    const scripts: Record<string, string> = JSON.parse(read(path)).scripts;
    for (const script of Object.values(scripts)) {
      for (const command of script.split(' && '))
        expect(command).toMatch(/^(exec )?(env (\w+=\S+ )+)?node (\.\.\/)?tools\/node\.cjs \S/);
    }
  }
});

it('O74: package-lock.json has no engines of packages, and package.json names those of Concord', () => {
  const lock = JSON.parse(read('package-lock.json')).packages as Record<string, { engines?: unknown }>;
  const named = Object.entries(lock).flatMap(([path, { engines }]) => (engines === undefined ? [] : [path]));
  expect(named).toEqual(['']);
  expect(packageJson.engines).toEqual({ node: '>=18', npm: '>=9' });
  // Only npm 11 links the pinned Node. The link is for npx, the unit and the guides.
  expect(statSync(join(root, 'node_modules/.bin/node')).size).toBeGreaterThan(1_000_000);
});

// `npm run test:npm`: the two commands of the README in fresh clones, with the versions of Node and npm that
// people have.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, say } from './command.ts';

const usage = `Usage: npm run test:npm [-- NODE...]
Installs npm 9, 10 and 11 into folders, with the Node that people have beside them. In fresh clones of the last commit it runs npm ci,
npm run concord, npm start, and npm test with one file. NODE is 18, 20, 22, 24 or 26: only these.`;

const root = join(import.meta.dirname, '..');
/** Node with the npm that came with it, or that Debian has beside it. */
const pairs = [
  { node: 18, npm: 9, byDefault: true },
  { node: 20, npm: 10, byDefault: true },
  { node: 22, npm: 10, byDefault: false },
  { node: 24, npm: 11, byDefault: true },
  { node: 26, npm: 11, byDefault: false },
];
/** The rest comes from the registry, as npm's cache has it. */
const quiet = ['--no-audit', '--no-fund', '--no-save', '--prefer-offline', '--loglevel=error'];

/** Without what the npm that runs this script has set. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(INIT_CWD|npm_(command|execpath|lifecycle|node|package|config_(user_agent|local_prefix|prefix|loglevel)).*)$/i.test(
        name,
      ),
  ),
);

function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  const output = `${stdout}${stderr}`;
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status ?? error?.message}:\n${output}`);
  return output;
}

/** A folder with `node`, `npm` and `npx` of these versions, for PATH. */
function install(scratch: string, { node, npm }: (typeof pairs)[number]): string {
  const folder = join(scratch, `node-${node}`);
  const bin = join(folder, 'bin');
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(bin, { recursive: true });
  run('npm', ['install', '--prefix', folder, ...quiet, `npm@${npm}`, `${name}@${node}`], folder, inherited);
  symlinkSync(join(folder, 'node_modules', name, 'bin/node'), join(bin, 'node'));
  for (const each of ['npm', 'npx'])
    symlinkSync(join(folder, `node_modules/npm/bin/${each}-cli.js`), join(bin, each));
  return bin;
}

/** npm 9 keeps SIGTERM for itself. Ctrl-C reaches every process. */
async function startAndStop(clone: string, env: NodeJS.ProcessEnv, npm: number): Promise<void> {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = () => (npm < 10 ? process.kill(-(child.pid ?? 0), 'SIGINT') : child.kill('SIGTERM'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const before = output;
      output += chunk.toString();
      if (output.includes('Concord is ready') && !before.includes('Concord is ready')) stop();
    });
  }
  await once(child, 'close');
  const stops = output.match(/^Stopping \(SIG(?:INT|TERM)\)…\nStopped\.$/gm);
  if (stops?.length !== 1) throw new Error(`npm start did not start, or did not stop once:\n${output}`);
}

async function tryPair(scratch: string, pair: (typeof pairs)[number]): Promise<void> {
  const bin = install(scratch, pair);
  const clone = join(scratch, `concord-${pair.node}`);
  const env = { ...inherited, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, PORT: '0', CONCORD_WORKERS: '0' };
  const start = performance.now();
  run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone], scratch, inherited);
  const installed = run('npm', ['ci', '--prefer-offline'], clone, env);
  // A setting of this machine that npm does not know is none of ours.
  if (/npm warn (?!Unknown (?:user|env) config)/i.test(installed))
    throw new Error(`npm ci has warnings:\n${installed}`);
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  if (!run('npm', ['run', '--silent', 'concord', '--', '--help'], clone, env).startsWith('Usage: npm start'))
    throw new Error('npm run concord did not print its usage.');
  await startAndStop(clone, { ...env, CONCORD_BASE_URL: 'http://127.0.0.1:3000' }, pair.npm);
  run('npm', ['test', '--', 'tools/replace-folder.test.ts'], clone, env);
  run('npx', ['vitest', 'run', 'tools/replace-folder.test.ts'], clone, env);
  const [node, npm] = ['node', 'npm'].map((name) => run(name, ['--version'], scratch, env).trim());
  say(`ok    Node ${node}, npm ${npm} (npm ci ${seconds} s)`);
  rmSync(clone, { recursive: true });
}

await runCommand(usage, {}, async (_, named) => {
  const known = pairs.map(({ node }) => String(node));
  for (const node of named)
    if (!known.includes(node)) throw new Error(`NODE must be one of ${known.join(', ')}, and not ${node}`);
  const scratch = mkdtempSync(join(tmpdir(), 'concord-npm-'));
  // As root, the database runs as nobody, who must reach it.
  chmodSync(scratch, 0o755);
  try {
    for (const pair of pairs)
      if (named.length === 0 ? pair.byDefault : named.includes(String(pair.node)))
        await tryPair(scratch, pair);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

// Runs a receiver in each framework, and lets a Concord check it as a customer would: every case of the check before
// going live must pass.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  checkWebhookEndpoint,
  createPartner,
  createWebhookEndpoint,
  getWebhookEndpointCheck,
} from '@concord/client';
import { findPort } from '../tools/tour-shell.ts';
import { choose, hasTools, type Place, runAll, withConcord } from './concord.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/interop/frameworks');
const startMs = 60_000;

type Framework = {
  name: string;
  /** Commands that fail when a required tool is missing. */
  tools: string[][];
  /** In `interop/frameworks`. */
  folder: string;
  /** The file of docs/receivers that it uses, and where that is copied to. */
  verify?: { receiver: string; file: string };
  prepare: (concord: string) => string[][];
  command: string[];
};

const esbuild = join(root, 'node_modules/.bin/esbuild');
const npm = (concord: string) => [
  [
    'npm',
    'install',
    '--silent',
    '--no-package-lock',
    '--no-save',
    `${concord}/packages/webhook-receiver.tgz`,
  ],
];
const inJavaScript = (name: string, file: string, ...more: string[][]): Framework => ({
  name,
  tools: [['npm', '--version']],
  folder: 'javascript',
  prepare: (concord) => [...npm(concord), ...more],
  command: [process.execPath, file],
});
const inPython = (name: string, file: string): Framework => ({
  name,
  tools: [['python3', '-m', 'venv', '--help']],
  folder: 'python',
  verify: { receiver: 'receiver.py', file: 'verify.py' },
  prepare: () => [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
  ],
  command: ['venv/bin/python', file],
});

const frameworks: Framework[] = [
  inJavaScript('Express', 'express.mjs'),
  inJavaScript('Fastify', 'fastify.mjs'),
  inJavaScript('Hono', 'hono.mjs'),
  inJavaScript('NestJS', 'nest.mjs', [
    ...[esbuild, 'nest.ts', '--outfile=nest.mjs', '--format=esm', '--log-level=error'],
    '--tsconfig-raw={"compilerOptions":{"experimentalDecorators":true}}',
  ]),
  {
    name: 'Next.js',
    tools: [['npm', '--version']],
    folder: 'javascript',
    prepare: (concord) => [...npm(concord), ['node_modules/.bin/next', 'build']],
    command: ['node_modules/.bin/next', 'start', '--hostname', '127.0.0.1'],
  },
  inPython('FastAPI', 'fastapi_app.py'),
  inPython('Django', 'django_app.py'),
  inPython('Flask', 'flask_app.py'),
  {
    name: 'net/http',
    tools: [['go', 'version']],
    folder: 'go',
    verify: { receiver: 'receiver.go', file: 'verify.go' },
    prepare: () => [['go', 'build', '-o', 'receiver', '.']],
    command: ['./receiver'],
  },
  {
    name: 'axum',
    tools: [['cargo', '--version']],
    folder: 'rust',
    verify: { receiver: 'receiver.rs', file: 'src/verify.rs' },
    prepare: () => [['cargo', 'build', '--quiet']],
    command: ['target/debug/receiver'],
  },
  {
    name: 'Spring',
    tools: [
      ['mvn', '--version'],
      ['javac', '--version'],
    ],
    folder: 'java',
    verify: { receiver: 'Webhooks.java', file: 'src/main/java/Webhooks.java' },
    prepare: () => [['mvn', '--quiet', '--batch-mode', '-DskipTests', 'package']],
    command: ['java', '-jar', 'target/receiver-1.jar'],
  },
];

/** Lists what is not as expected. */
async function run(framework: Framework, { client, url: concord }: Place): Promise<string[]> {
  const { name, tools, folder, verify, prepare, command } = framework;
  if (!(await hasTools(name, tools))) return [];
  const cwd = join(cache, folder);
  mkdirSync(cwd, { recursive: true });
  cpSync(join(import.meta.dirname, 'frameworks', folder), cwd, { recursive: true });
  if (verify) cpSync(join(root, 'docs/receivers', verify.receiver), join(cwd, verify.file));
  const port = await findPort(0);
  const url = `http://127.0.0.1:${port}/hooks?from=concord`;
  const { id } = await createPartner({ client, body: { name } });
  const { id: endpoint_id } = await createWebhookEndpoint({
    client,
    path: { id },
    body: { url, environment: 'sandbox' },
  });
  const env = {
    ...process.env,
    PORT: String(port),
    WEBHOOK_URL: url,
    PARTNER: id,
    JWKS: `${concord}/sandbox/.well-known/jwks.json`,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  let receiver: ChildProcess | undefined;
  let printed = '';
  try {
    await runAll(prepare(concord), { cwd, env });
    const [program = '', ...args] = command;
    receiver = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    receiver.stderr?.on('data', (part) => {
      printed = `${printed}${part}`.slice(-4_000);
    });
    await untilListening(port, receiver);
    const path = { id, endpoint_id };
    let check = await checkWebhookEndpoint({ client, path });
    while (check.status === 'running') {
      await delay(200);
      check = await getWebhookEndpointCheck({ client, path });
    }
    const faults = check.cases.filter(({ status }) => status !== 'passed');
    if (check.status === 'passed' && faults.length === 0) {
      process.stdout.write(`ok ${name}: passes the ${check.cases.length} cases of the check\n`);
      return [];
    }
    return faults.map((each) => `${name}: ${each.name}: ${each.problem}`);
  } catch (error) {
    const { message, stderr = printed } = error as Error & { stderr?: string };
    return [`${name}: ${message}\n${stderr.slice(-4_000)}`];
  } finally {
    await end(receiver);
  }
}

async function untilListening(port: number, receiver: ChildProcess): Promise<void> {
  const until = performance.now() + startMs;
  while (performance.now() < until && receiver.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await delay(100);
  }
  throw new Error('the receiver does not listen');
}

/** With its children: `next start` has some. */
async function end(receiver: ChildProcess | undefined): Promise<void> {
  if (receiver?.pid === undefined || receiver.exitCode !== null) return;
  const ended = once(receiver, 'exit');
  process.kill(-receiver.pid, 'SIGKILL');
  await ended;
}

/** Lists what is not as expected. `only`: a part of the names of frameworks. */
export async function runFrameworks(only: string): Promise<string[]> {
  const chosen = choose('Frameworks', frameworks, only);
  return withConcord(async (place) => {
    const problems: string[] = [];
    // One after another: each installs and compiles with every core.
    for (const framework of chosen) problems.push(...(await run(framework, place)));
    return problems;
  });
}

// Runs the examples of the client's README, with the built package, in Node, Deno, Bun and a worker, against
// a service of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createPartner } from '@concord/client';
import { build } from 'esbuild';
import { firstLines, readExamples } from '../packages/client/test/readme-examples.ts';
import { type Place, withConcord } from './concord.ts';
import { runtime } from './runtimes.ts';

const root = join(import.meta.dirname, '..');
/** Deno and Node run no TypeScript below `node_modules`. */
let folder = '';
const execute = promisify(execFile);

/** Runs each example as a program. */
const asPrograms =
  (program: string, ...args: string[]) =>
  (files: string[]): Promise<string[]> =>
    Promise.all(files.map(async (file) => (await execute(program, [...args, file], { cwd: folder })).stdout));

/**
 * Runs all examples in one worker, which has no program and no console to read: each request runs one, and
 * returns what it prints.
 */
async function asWorker(files: string[], examples: string[]): Promise<string[]> {
  for (const [index, example] of examples.entries()) {
    const importing = /^import [^;]*;$/gm;
    const body = example.replace(/^export \{\};$/m, '').replace(importing, '');
    writeFileSync(
      join(folder, `worker-${index}.ts`),
      `${example.match(importing)?.join('\n')}\nexport async function run(console: unknown) {\n${body}\n}\n`,
    );
  }
  const names = files.map((_, index) => `run${index}`);
  const worker = `${names.map((name, index) => `import { run as ${name} } from './worker-${index}.ts';`).join('\n')}
const examples = [${names}];
export default {
  async fetch(request) {
    let printed = '';
    await examples[new URL(request.url).pathname.slice(1)]({ log: (...words) => { printed += words.join(' ') + '\\n'; } });
    return new Response(printed);
  },
};
`;
  writeFileSync(join(folder, 'worker.ts'), worker);
  // For a browser: an import of Node's modules is an error.
  const options = { bundle: true, format: 'esm', platform: 'browser', logLevel: 'error' } as const;
  await build({ ...options, entryPoints: [join(folder, 'worker.ts')], outfile: join(folder, 'worker.mjs') });
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (modules = [(name = "worker", esModule = embed "worker.mjs")], compatibilityDate = "2026-01-01", globalOutbound = "network")),
    (name = "network", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
`;
  writeFileSync(join(folder, 'worker.capnp'), config);
  const child = spawn(runtime('workerd'), ['serve', 'worker.capnp', '--control-fd=1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
    const { port } = JSON.parse(line);
    const answers = await Promise.all(files.map((_, index) => fetch(`http://127.0.0.1:${port}/${index}`)));
    return await Promise.all(
      answers.map((answer) => (answer.ok ? answer.text() : `status ${answer.status}`)),
    );
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

const targets = [
  { name: 'Node', program: process.execPath, run: asPrograms(process.execPath) },
  {
    name: 'Deno',
    program: runtime('deno'),
    run: asPrograms(runtime('deno'), 'run', '--allow-net', '--no-lock'),
  },
  { name: 'Bun', program: runtime('bun'), run: asPrograms(runtime('bun'), 'run') },
  { name: 'a worker', program: runtime('workerd'), run: asWorker },
];

/** Lists what is not as expected. */
export async function runClientExamples(): Promise<string[]> {
  folder = mkdtempSync(join(tmpdir(), 'concord-client-'));
  await execute(process.execPath, [join(root, 'tools/packages.ts')]);
  const installed = join(folder, 'node_modules/@concord/client');
  mkdirSync(installed, { recursive: true });
  const tarball = globSync(join(root, 'packages/dist/client-*.tgz'))[0] ?? '';
  await execute('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  writeFileSync(
    join(folder, 'package.json'),
    '{ "type": "module", "dependencies": { "@concord/client": "*" } }\n',
  );
  return withConcord(runExamples).finally(() => rmSync(folder, { recursive: true }));
}

async function runExamples({ url, token, client }: Place): Promise<string[]> {
  await createPartner({ client, body: { name: 'Nordlys' } });
  const examples = readExamples({ url, token });
  const files = examples.map((example, index) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, example);
    return file;
  });
  const problems: string[] = [];
  for (const { name, program, run } of targets) {
    if (!existsSync(program)) {
      process.stdout.write(`SKIPPED the client in ${name}, not tested: ${program} not found\n`);
      continue;
    }
    const { stdout: version } = await execute(program, ['--version']);
    const printed = await run(files, examples).catch(({ message }: Error) => [message]);
    const wrong = firstLines.flatMap((line, index) => {
      const [first = ''] = printed[index]?.trim().split('\n') ?? [];
      return printed[index] !== undefined && line.test(first)
        ? []
        : [`the client in ${name}: example ${index} prints ${printed[index]}`];
    });
    problems.push(...wrong);
    if (wrong.length === 0)
      process.stdout.write(
        `ok the client in ${name}: ${files.length} examples (${version.split('\n')[0]})\n`,
      );
  }
  return problems;
}

// The packages as they are built, and as strangers install them from a running service.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { createServer } from '../server/src/base/feature.ts';
import { anyone } from '../server/src/base/http/server.ts';
import { createPackages } from '../server/src/packages/index.ts';
import { root } from './built-folder.ts';
import { buildPackages } from './packages/build.ts';
import { names } from './packages/published.ts';
import { useAsStranger } from './packages/stranger.ts';

const execute = promisify(execFile);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'concord-packages-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  return folder;
}
const folders = names.map((name) => `packages/${name}`);

async function serve(folder: string, port = 0) {
  const feature = createPackages({
    access: { anyone: { hook: anyone, granted: () => null } },
    baseUrl: 'https://concord.example',
    folder,
    onProblem: (error) => expect.unreachable(String(error)),
  });
  const options = { logger: pino({ level: 'silent' }), trustedProxies: [], isReady: async () => true };
  const server = await createServer([feature], options);
  await server.listen({ port, host: '127.0.0.1' });
  const close = () => server.close();
  closing.push(close);
  return { port: (server.server.address() as AddressInfo).port, close };
}

/** npm in a folder, without any registry. Each `cache` begins empty. */
function createNpm(folder: string) {
  const caches = makeFolder();
  return async (cache: string, ...args: string[]) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
    const options = [
      '--cache',
      join(caches, cache),
      '--registry',
      'http://127.0.0.1:9',
      '--loglevel',
      'error',
    ];
    await execute('npm', [...args, ...options, '--no-audit', '--no-fund', '--fetch-retries', '0'], {
      cwd: folder,
      env,
    });
  };
}

it('V3: two builds of the same sources have the same bytes', async () => {
  const [first, second] = [makeFolder(), makeFolder()];
  await Promise.all([first, second].map((next) => buildPackages({ folders, next })));
  const files = readdirSync(first);
  expect(files.filter((file) => file.endsWith('.tgz'))).toHaveLength(names.length);
  for (const file of files)
    expect(readFileSync(join(second, file)).equals(readFileSync(join(first, file)))).toBe(true);
});

it('V3: a program is one file that runs without dependencies', async () => {
  const [source, next] = [makeFolder(), makeFolder()];
  mkdirSync(join(source, 'src'));
  writeFileSync(join(source, 'README.md'), '# A program\n');
  writeFileSync(
    join(source, 'package.json'),
    JSON.stringify({
      name: '@concord/greeter',
      version: '0.1.0',
      private: true,
      type: 'module',
      bin: { greet: './src/main.ts' },
      dependencies: { '@concord/client': '0.1.0' },
    }),
  );
  const client = JSON.stringify(join(root, 'packages/client/src/index.ts'));
  writeFileSync(
    join(source, 'src/main.ts'),
    `#!/usr/bin/env node\nimport { createClient } from ${client};\nconsole.log(typeof createClient, process.argv[2]);\n`,
  );
  await buildPackages({ folders: [relative(root, source)], next });
  const { port } = await serve(next);
  const stranger = makeFolder();
  writeFileSync(join(stranger, 'package.json'), '{ "private": true }');
  await createNpm(stranger)('one', 'install', `http://127.0.0.1:${port}/packages/greeter.tgz`);
  const { stdout } = await execute(join(stranger, 'node_modules/.bin/greet'), ['you']);
  expect(stdout).toBe('function you\n');
});

it('H9, V3: strangers install each package by one URL, and use it as ES module, as CommonJS and with types', async () => {
  const [next, stranger] = [makeFolder(), makeFolder()];
  await buildPackages({ folders, next });
  const { port } = await serve(next);
  const structuredHeaders = `file:${join(root, 'node_modules/structured-headers')}`;
  // In place of the registry.
  const overrides = { 'structured-headers': structuredHeaders };
  writeFileSync(join(stranger, 'package.json'), JSON.stringify({ private: true, overrides }));
  const npm = createNpm(stranger);
  for (const name of names)
    await npm(
      'one',
      'install',
      '--install-links',
      '--ignore-scripts',
      `http://127.0.0.1:${port}/packages/${name}.tgz`,
    );
  expect(existsSync(join(stranger, 'node_modules/structured-headers/package.json'))).toBe(true);
  expect(await useAsStranger(stranger)).toEqual([]);
});

it('V4: a lockfile pins the bytes, until the package is installed again', async () => {
  const stranger = makeFolder();
  writeFileSync(join(stranger, 'package.json'), '{ "private": true }');
  const npm = createNpm(stranger);
  const installed = () =>
    JSON.parse(readFileSync(join(stranger, 'node_modules/@concord/client/package.json'), 'utf8')).version;
  const old = await serve(packClient('1.0.0'));
  const url = `http://127.0.0.1:${old.port}/packages/client.tgz`;
  await npm('first', 'install', url);
  for (const cache of ['first', 'second']) await npm(cache, 'ci');
  expect(installed()).toBe('1.0.0');

  await old.close();
  await serve(packClient('2.0.0'), old.port);
  await expect(npm('third', 'ci')).rejects.toThrow('EINTEGRITY');
  await npm('third', 'install', url);
  await npm('fourth', 'ci');
  expect(installed()).toBe('2.0.0');
});

/** The built folder of a Concord of this version. */
function packClient(version: string): string {
  const folder = makeFolder();
  const manifest = JSON.stringify({ name: '@concord/client', version });
  writeFileSync(
    join(folder, 'client.tgz'),
    gzipSync(createTar([{ name: 'package/package.json', data: manifest }])),
  );
  const built = [{ name: '@concord/client', version, file: 'client.tgz' }];
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(built));
  return folder;
}

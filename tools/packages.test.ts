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
import { createTar, parseTarGzip } from 'nanotar';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createServer } from '../server/src/base/feature.ts';
import { anyone } from '../server/src/base/http/server.ts';
import { createPublished } from '../server/src/published/index.ts';
import { root } from './built-folder.ts';
import { buildPackages } from './packages/build.ts';
import { names } from './packages/published.ts';
import { useAsStranger } from './packages/stranger.ts';

const execute = promisify(execFile);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function makeFolder(atEnd: (remove: () => void) => unknown = (remove) => closing.push(remove)): string {
  const folder = mkdtempSync(join(tmpdir(), 'concord-packages-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  return folder;
}
const folders = names.map((name) => `packages/${name}`);
const built = makeFolder(afterAll);
beforeAll(() => buildPackages({ folders, next: built }));

async function serve(folder: string, port = 0) {
  const feature = createPublished({
    access: { anyone: { hook: anyone, granted: () => null } },
    baseUrl: 'https://concord.example',
    folders: { packages: folder, documents: join(root, 'docs') },
    onProblem: (_what, error) => expect.unreachable(String(error)),
  });
  const options = { logger: pino({ level: 'silent' }), trustedProxies: [], isReady: async () => true };
  const server = await createServer([feature], options);
  await server.listen({ port, host: '127.0.0.1' });
  const close = () => server.close();
  closing.push(close);
  return { port: (server.server.address() as AddressInfo).port, close };
}

/** npm in a folder, without any registry. Each `cache` begins empty. Returns what it prints. */
function createNpm(folder: string) {
  const caches = makeFolder();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  return async (cache: string, ...args: string[]): Promise<string> => {
    const registry = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];
    const options = [...registry, '--cache', join(caches, cache), '--loglevel', 'error', '--no-audit'];
    const { stdout } = await execute('npm', [...options, ...args], { cwd: folder, env });
    return stdout;
  };
}

it('V3: two builds of the same sources have the same bytes', async () => {
  const again = makeFolder();
  await buildPackages({ folders, next: again });
  const files = readdirSync(built);
  for (const file of files) {
    const bytes = readFileSync(join(built, file));
    expect(readFileSync(join(again, file)).equals(bytes)).toBe(true);
    if (!file.endsWith('.tgz')) continue;
    // What a build at another time, by another user or on another file system would change.
    const entries = await parseTarGzip(bytes, { metaOnly: true });
    const paths = entries.map(({ name }) => name);
    expect(paths).toEqual(paths.toSorted());
    expect(new Set(entries.map(({ attrs }) => `${attrs?.mtime} ${attrs?.uid} ${attrs?.gid}`)).size).toBe(1);
    expect(entries[0]?.attrs).toMatchObject({ mtime: 499_162_500, uid: 0, gid: 0, user: '', group: '' });
  }
  expect(files).toHaveLength(names.length + 1);
});

it('V3: npx runs a program by its URL: one file, with our packages and CommonJS inside', async () => {
  const [source, next] = [makeFolder(), makeFolder()];
  const write = (file: string, text: string) => writeFileSync(join(source, file), text);
  const manifest = {
    name: '@concord/greeter',
    private: true,
    type: 'module',
    bin: { greet: './src/main.ts' },
  };
  const client = JSON.stringify(join(root, 'packages/client/src/index.ts'));
  mkdirSync(join(source, 'src'));
  write('README.md', '# A program');
  write(
    'package.json',
    JSON.stringify({ ...manifest, version: '0.1.0', dependencies: { '@concord/client': '0.1.0' } }),
  );
  write('src/separator.cjs', `module.exports = require('node:path').sep;`);
  write(
    'src/main.ts',
    `#!/usr/bin/env node
import { createClient } from ${client};
import separator from './separator.cjs';
console.log(typeof createClient, separator, process.argv[2]);
`,
  );
  await buildPackages({ folders: [relative(root, source)], next });
  const { port } = await serve(next);
  const npm = createNpm(makeFolder());
  const printed = await npm('one', 'exec', '--yes', `http://127.0.0.1:${port}/packages/greeter.tgz`, 'you');
  expect(printed).toBe('function / you\n');
});

it('H9, V3: strangers install each package by one URL, and use it as ES module, as CommonJS and with types', async () => {
  const stranger = makeFolder();
  const { port } = await serve(built);
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

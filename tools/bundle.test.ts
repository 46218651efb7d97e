// The program runs from its bundle.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { bundle, findBundle, hashFile, hashSources, isBuiltFrom } from '../server/src/program/bundle.ts';
import { root } from './built-folder.ts';
import { buildBundleIfChanged, toAscii } from './bundle.ts';

beforeAll(buildBundleIfChanged);

it('O84: the program runs from its bundle', () => {
  expect(findBundle()).toBe(join(root, 'server/dist/main.js'));
  // Prints the modules that the program loads.
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context); } });`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, 'server/src/main.ts', '--help'],
    { cwd: root, encoding: 'utf8' },
  );
  const modules = stderr.split('\n').filter((line) => line.startsWith('file:'));
  expect(modules).toContainEqual(expect.stringMatching('/server/dist/main.js'));
  expect(modules.filter((url) => !url.includes('/server/dist/'))).toEqual([
    expect.stringMatching('/server/src/main.ts$'),
    expect.stringMatching('/server/src/program/bundle.ts$'),
  ]);
});

it('O84: the bundle is ASCII, so that V8 keeps it in one byte for each character', () => {
  const wide = readdirSync(bundle.folder).filter((name) =>
    readFileSync(join(bundle.folder, name)).some((byte) => byte > 0x7f),
  );
  expect(wide).toEqual([]);
  expect(toAscii('/[é＝]/ // —')).toBe('/[\\u00e9\\uff1d]/ // \\u2014');
  // Behind a backslash the number would mean something else.
  expect(() => toAscii('/\\é/')).toThrow('write the character by its number');
});

it('O84: a bundle of other sources is not used, nor one that is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const sources = ['LICENSE', 'server/migrations'];
  expect(isBuiltFrom({ folder, sources })).toBe(false);
  writeFileSync(join(folder, hashFile), hashSources(sources));
  expect(isBuiltFrom({ folder, sources })).toBe(true);
  expect(isBuiltFrom({ folder, sources: ['LICENSE', 'server/src'] })).toBe(false);
  expect(isBuiltFrom({ folder, sources: ['LICENSE', 'server/missing'] })).toBe(false);
});

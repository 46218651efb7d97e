// A folder that is made anew while others read it.
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replaceFolder } from './replace-folder.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'concord-replace-'));
  folder = join(parent, 'dist');
});
afterEach(() => rm(parent, { recursive: true }));

/** What a build writes: each file names the build. */
const files = ['index.html', 'page.js', 'page.css'];
const build = (name: string) => async (next: string) => {
  for (const file of files) await writeFile(join(next, file), name);
};
async function read(): Promise<string[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.sort().map(async (name) => `${name} ${await readFile(join(folder, name), 'utf8')}`),
  );
}
const whole = (name: string) => files.toSorted().map((file) => `${file} ${name}`);

it('B17: a start during a build finds the old one, and nothing of it stays afterwards', async () => {
  await replaceFolder(folder, build('first'));
  await writeFile(join(folder, 'only-in-the-first.js'), '');
  await replaceFolder(folder, async (next) => {
    await build('second')(next);
    expect(await read()).toContain('index.html first');
    expect(await read()).toHaveLength(4);
  });
  expect(await read()).toEqual(whole('second'));
  expect(await readdir(parent)).toEqual(['dist']);
});

it('B17: a build that fails changes nothing', async () => {
  await replaceFolder(folder, build('first'));
  const failing = replaceFolder(folder, async (next) => {
    await writeFile(join(next, 'index.html'), 'second');
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect(await read()).toEqual(whole('first'));
  expect(await readdir(parent)).toEqual(['dist']);
});

it('B17: of several builds at once, one is there as a whole', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const started = Promise.withResolvers<void>();
  let waiting = names.length;
  await Promise.all(
    names.map((name) =>
      replaceFolder(folder, async (next) => {
        waiting -= 1;
        if (waiting === 0) started.resolve();
        await started.promise;
        await build(name)(next);
      }),
    ),
  );
  expect(names.map(whole)).toContainEqual(await read());
  expect(await readdir(parent)).toEqual(['dist']);
});

it('B17: what a crash left is removed, and what another build is at work on is not', async () => {
  const [old, recent] = [join(parent, 'dist-next-old'), join(parent, 'dist-next-recent')];
  for (const path of [old, recent]) {
    await mkdir(path);
    await writeFile(join(path, 'index.html'), '');
  }
  await utimes(old, new Date(0), new Date(0));
  await replaceFolder(folder, build('first'));
  expect((await readdir(parent)).sort()).toEqual(['dist', 'dist-next-recent']);
});

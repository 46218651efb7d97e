// The examples of the client's README compile, and run against the service.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstLines, readExamples } from '../../../packages/client/test/readme-examples.ts';
import { succeed } from '../stage/cast.ts';
import { useService } from '../stage/start-service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

let folder: string;
const service = useService();
beforeAll(() => {
  // Inside the workspace, so that the package is found.
  folder = mkdtempSync(join(root, 'server/test/.readme-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('the README of the client has nine examples, and each compiles and runs', async () => {
  const examples = readExamples({ url: service.url, token: service.operatorToken });
  expect(examples).toHaveLength(8);
  const files = examples.map((example, index) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, example);
    return file;
  });
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  const compiled = run(process.execPath, [
    compiler,
    ...options,
    '--types',
    'node',
    '--ignoreConfig',
    ...files,
  ]);
  await compiled.catch(({ stdout }) => expect.fail(stdout));
  succeed(await service.post('/partners', { name: 'Nordlys' }));
  const printed = await Promise.all(files.map((file) => run(process.execPath, [file])));
  const expected = firstLines.map((line) => expect.stringMatching(line));
  expect(printed.map(({ stdout }) => stdout.trim().split('\n')[0])).toEqual(expected);
});

// The scripts of package.json that are our own programs: each shows its usage, and refuses what it does not know.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const programs = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^exec node tools\/node\.cjs ((?:tools|bench|interop|deploy)\/\S+)$/.exec(line) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

function run(file: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it.each(programs)(
  'O83: npm run %s refuses an option that it does not have, and shows how it is used',
  (name, file) => {
    expect(run(file, '--help', '--no-such-option')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(`^Unknown option '--no-such-option'.*\nUsage: npm run ${name}\\b`),
    });
  },
);

it.each([
  ['tools/rules.ts', ['more'], "Unexpected argument 'more'"],
  ['tools/first-commands.ts', ['17'], 'NODE must be one of 18, 20, 22, 24, 26, and not 17'],
  ['interop/run.ts', ['Cobol'], 'LANGUAGE must be one of Node,'],
  ['interop/run.ts', ['Frameworks', 'Cobol on Rails'], 'Frameworks has none with Cobol on Rails in its name'],
  ['deploy/build-root.ts', [], 'Name the FOLDER'],
  ['bench/run.ts', ['--deliveries', '5'], '--deliveries needs --seed'],
  ['tools/databases.ts', ['--pool-mode', 'session'], '--pool-mode needs --pgbouncer'],
])('O83: %s %j does nothing, and says what is wrong', (file, args, message) => {
  expect(run(file, ...args)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});

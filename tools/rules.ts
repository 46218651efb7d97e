// `npm run rules`: the rules of docs/behaviour.md, each with the tests that name it; lists those without a test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `Usage: npm run rules [-- --check]
Lists each rule of docs/behaviour.md with the number of tests whose title names it.
--check fails when a rule has no test, or a title names a rule that does not exist.`;

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});

function readRules(): string[] {
  const text = readFileSync(join(root, 'docs/behaviour.md'), 'utf8');
  return [...text.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, rule]) => rule ?? '');
}

/** The rule numbers that stand before the colon of a test's title: `it('P2, F5: ...`. */
function readTitles(): Map<string, number> {
  const named = new Map<string, number>();
  const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  for (const file of files) {
    const text = readFileSync(join(root, 'server', file), 'utf8');
    for (const [, rules = ''] of text.matchAll(/\bit(?:\.each\([^)]*\))?\(\s*['"`]((?:[A-Z]\d+(?:, )?)+):/g)) {
      for (const rule of rules.split(', ')) named.set(rule, (named.get(rule) ?? 0) + 1);
    }
  }
  return named;
}

if (values.help) process.stdout.write(`${usage}\n`);
else {
  const rules = readRules();
  const titles = readTitles();
  const untested = rules.filter((rule) => !titles.has(rule));
  const unknown = [...titles.keys()].filter((rule) => !rules.includes(rule));
  if (!values.check) for (const rule of rules) process.stdout.write(`${rule.padEnd(4)} ${titles.get(rule) ?? 0} tests\n`);
  for (const rule of untested) process.stdout.write(`No test names ${rule}.\n`);
  for (const rule of unknown) process.stdout.write(`A test names ${rule}, which docs/behaviour.md does not have.\n`);
  if (values.check && untested.length + unknown.length > 0) process.exitCode = 1;
}

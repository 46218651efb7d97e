// `npm run rules`: the rules of docs/behaviour/, each with its number of tests; lists the rules without a
// test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complain, runCommand, say } from './command.ts';

const maxLineLength = 200;
const usage = `Usage: npm run rules [-- --check]
Lists each rule of docs/behaviour/ with the number of tests whose title names it.
--check fails when a rule has no test or is written twice, when a title names an unknown rule,
or when a line of a page has more than ${maxLineLength} characters.`;

const root = join(import.meta.dirname, '..');

type Line = { place: string; text: string };

/** Every line of the pages; README.md links the pages and has no rules. */
function readLines(): Line[] {
  const folder = 'docs/behaviour';
  const pages = readdirSync(join(root, folder)).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  return pages.toSorted().flatMap((page) =>
    readFileSync(join(root, folder, page), 'utf8')
      .split('\n')
      .map((text, index) => ({ place: `${folder}/${page}:${index + 1}`, text })),
  );
}

/** Each rule with the places where it is written. */
function findRules(lines: Line[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { place, text } of lines) {
    const rule = /^- \*\*([A-Z]\d+)\*\*/.exec(text)?.[1];
    if (rule !== undefined) places.set(rule, [...(places.get(rule) ?? []), place]);
  }
  return places;
}

/**
 * Counts the rule numbers before the colon of a test's title: `it('P2, F5: ...`. Test files can share tests
 * in an `examine-*.ts`.
 */
function readTitles(): Map<string, number> {
  const named = new Map<string, number>();
  const files = ['server', 'packages', 'console', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(\.test|\/examine-[\w-]+)\.ts$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(root, folder, file)),
  );
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [, rules = ''] of text.matchAll(
      /(?:\bit(?:\.each\([^)]*\)|\.skipIf\((?:[^()]|\([^()]*\))*\))?|^ *\]\))\(\s*['"`]((?:[A-Z]\d+(?:, )?)+):/gm,
    )) {
      for (const rule of rules.split(', ')) named.set(rule, (named.get(rule) ?? 0) + 1);
    }
  }
  return named;
}

await runCommand(usage, { check: { type: 'boolean' } }, ({ check }) => {
  const lines = readLines();
  const rules = findRules(lines);
  const titles = readTitles();
  const faults = [
    ...[...rules.keys()].filter((rule) => !titles.has(rule)).map((rule) => `No test names ${rule}.`),
    ...[...titles.keys()]
      .filter((rule) => !rules.has(rule))
      .map((rule) => `A test names ${rule}, but docs/behaviour/ has no such rule.`),
    ...[...rules]
      .filter(([, places]) => places.length > 1)
      .map(([rule, places]) => `${rule} is written ${places.length} times: ${places.join(', ')}.`),
    ...lines
      .filter(({ text }) => text.length > maxLineLength)
      .map(
        ({ place, text }) => `${place} has ${text.length} characters; a line has at most ${maxLineLength}.`,
      ),
  ];
  if (check) return complain(faults);
  for (const rule of rules.keys()) say(`${rule.padEnd(4)} ${titles.get(rule) ?? 0} tests`);
  for (const fault of faults) say(fault);
});

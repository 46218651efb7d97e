// Holds the imports against the arrows. `--plants` proves that they are read: forbidden imports are planted, and
// each must be caught.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { arrowRules } from './arrow-rules.ts';
import { complain } from './command.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

/** Files with a forbidden import each, and the rule that must catch it. */
const plants = [
  {
    file: 'server/src/base/tracing/planted.ts',
    from: '../../access/index.ts',
    rule: 'imports only rows before it',
  },
  {
    file: 'server/src/partners/planted.ts',
    from: '../access/store.ts',
    rule: 'access is entered through its index.ts',
  },
  { file: 'server/src/base/limits/planted.ts', from: '../mail/index.ts', rule: 'imports nothing beside it' },
  {
    file: 'server/src/base/mail/planted.ts',
    from: 'sql-template-tag',
    rule: 'SQL only in store.ts and postgres/',
  },
  { file: 'server/src/base/http/planted.ts', from: 'better-auth', rule: 'only people knows better-auth' },
  {
    file: 'server/src/webhooks/lanes/planted.ts',
    from: '../delivering/engine.ts',
    rule: 'webhooks/lanes/ imports only rows before it',
  },
  {
    file: 'packages/webhook-receiver/src/planted.ts',
    from: 'node:fs',
    rule: 'webhook-receiver runs where there is no Node',
  },
  {
    file: 'console/src/ui/planted.ts',
    from: '#app/session.ts',
    rule: 'console ui/ imports only rows before it',
  },
  {
    file: 'console/src/pages/planted.ts',
    from: '../../../server/src/base/ids.ts',
    rule: 'the console imports the client and nothing else',
  },
];

type Violation = { rule: string; from: string; to: string };

async function cruiseAll(): Promise<Violation[]> {
  const options = { ...arrowRules.options, ruleSet: arrowRules, validate: true };
  const { output } = await cruise(['server/src', 'console/src', 'packages'], options, undefined, {
    tsConfig: extractTSConfig('tsconfig.json'),
  });
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => ({
    rule: rule.name,
    from,
    to,
  }));
}

async function cruisePlanted(): Promise<Violation[]> {
  try {
    for (const { file, from } of plants)
      writeFileSync(file, `// Planted by tools/arrows.ts.\nexport type * from '${from}';\n`);
    return await cruiseAll();
  } finally {
    for (const { file } of plants) rmSync(file, { force: true });
  }
}

const isPlanting = process.argv.includes('--plants');
const violations = isPlanting ? await cruisePlanted() : await cruiseAll();
/** A circle between folders names folders, not files. */
const isCaught = ({ file, rule }: (typeof plants)[number]) =>
  violations.some(
    (each) => each.rule.includes(rule) && (each.from === file || file.startsWith(`${each.from}/`)),
  );
const problems = isPlanting
  ? plants
      .filter((plant) => !isCaught(plant))
      .map(({ file, rule }) => `The planted import in ${file} was not caught: ${rule}`)
  : violations.map(
      ({ rule, from, to }) =>
        `Forbidden import (ARCHITECTURE.md, Who may import whom): ${from} -> ${to}: ${rule}`,
    );
complain(problems);

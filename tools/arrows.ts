// Holds the imports against the arrows; and proves that it reads them, with a forbidden import that must be caught.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { arrowRules } from './arrow-rules.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

async function violations(): Promise<{ rules: string[]; modules: number }> {
  const { output } = await cruise(
    ['server/src', 'packages'],
    { ...arrowRules.options, ruleSet: arrowRules, validate: true },
    undefined,
    {
      tsConfig: extractTSConfig('tsconfig.json'),
    },
  );
  const { summary } = output as ICruiseResult;
  return {
    rules: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
    modules: summary.totalCruised,
  };
}

const canary = 'server/src/permissions/canary.ts';
writeFileSync(
  canary,
  "// Planted by tools/arrows.ts.\nimport type { Database } from '../postgres/database.ts';\nexport type Canary = Database;\n",
);
const planted = await violations().finally(() => rmSync(canary));
const caught = planted.rules.filter((rule) => rule.includes(canary) && rule.includes('imports nothing above it'));
const found = planted.rules.filter((rule) => !rule.includes(canary));

if (caught.length === 0) {
  process.stderr.write(
    `The planted forbidden import was not caught (${planted.modules} modules read): the arrows are not checked at all.\n`,
  );
  process.exitCode = 1;
}
if (found.length > 0) {
  process.stderr.write(`Forbidden imports (ARCHITECTURE.md, Arrows):\n${found.map((rule) => `  ${rule}`).join('\n')}\n`);
  process.exitCode = 1;
}

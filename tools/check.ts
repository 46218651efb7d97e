// `npm run check`: everything that can be said of the code without running it. `-- --fast` runs format, types
// and arrows only. Prints the seconds of each step.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, say } from './command.ts';

const root = join(import.meta.dirname, '..');
const inPackage = (name: string, file: string) => join(root, 'node_modules', name, file);

type Step = { name: string; command: string[]; hint: string };

/** The compiler keeps what it knows about unchanged files in node_modules/.cache. */
const types = (name: string, project: string, cache: string): Step => ({
  name,
  command: [
    inPackage('typescript-native', 'bin/tsc'),
    '--project',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    join(root, 'node_modules/.cache', `${cache}.tsbuildinfo`),
  ],
  hint: 'see the lines above',
});

const fast: Step[] = [
  {
    name: 'format and lint',
    command: [inPackage('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.'],
    hint: 'npm run format fixes most of it',
  },
  {
    name: 'arrows',
    command: ['tools/arrows.ts'],
    hint: 'ARCHITECTURE.md shows which folder may import which',
  },
  types('types', '.', 'types'),
  types('types of the console', 'console', 'console-types'),
];
const slow: Step[] = [
  {
    name: 'styles of the console',
    command: ['tools/console-styles.ts'],
    hint: 'take colours, sizes and durations from console/src/tokens.css',
  },
  { name: 'dead code', command: [inPackage('knip', 'bin/knip.js')], hint: 'delete it, or use it' },
  {
    name: 'table owners',
    command: ['tools/table-owners.ts'],
    hint: 'a table is written by its owner; tools/table-owners.ts lists what else is read',
  },
  { name: 'packages', command: ['tools/packages.ts'], hint: 'npm run packages' },
  {
    name: 'rules',
    command: ['tools/rules.ts', '--check'],
    hint: 'docs/behaviour/README.md says how rules are written, and how tests name them',
  },
];
/** First: it plants files for a moment, which only these steps do not see. */
const first: Step[] = [
  {
    name: 'planted arrows',
    command: ['tools/arrows.ts', '--plants'],
    hint: 'tools/arrows.ts must catch each forbidden import that it plants',
  },
  { name: 'generated files', command: ['tools/generate.ts', '--check'], hint: 'npm run generate' },
  {
    name: 'description',
    command: ['tools/description.ts'],
    hint: 'openapi.json must be clean for the linter',
  },
];

async function run({ name, command, hint }: Step): Promise<boolean> {
  const start = performance.now();
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  say(code === 0 ? `ok    ${name} (${seconds} s)` : `${output}\nFAIL  ${name} (${seconds} s): ${hint}`);
  return code === 0;
}

/** Whether `npm ci` has installed what package-lock.json names. What another platform needs may be missing. */
function isInstalled(): boolean {
  type Lock = { packages: Record<string, { version?: string; link?: boolean; optional?: boolean }> };
  const read = (file: string): Lock => JSON.parse(readFileSync(join(root, file), 'utf8'));
  try {
    const installed = read('node_modules/.package-lock.json').packages;
    return Object.entries(read('package-lock.json').packages).every(
      ([path, { version, optional }]) =>
        !path.startsWith('node_modules/') || optional || installed[path]?.version === version,
    );
  } catch {
    return false;
  }
}

const names = (steps: Step[]) => steps.map(({ name }) => name).join(', ');
const usage = `Usage: npm run check [-- --fast]
Runs: ${names([...first, ...fast, ...slow])}.
--fast runs: ${names(fast)}.`;

await runCommand(usage, { fast: { type: 'boolean' } }, async (values) => {
  if (!isInstalled()) throw new Error('node_modules is not what package-lock.json names. Run: npm ci');
  for (const steps of values.fast ? [fast] : [first, [...fast, ...slow]]) {
    const results = await Promise.all(steps.map(run));
    if (!results.every(Boolean)) process.exitCode = 1;
  }
});

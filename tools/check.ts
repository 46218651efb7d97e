// `npm run check`: everything that can be said of the code without running it. Prints the seconds of each
// step.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const inPackage = (name: string, file: string) => join(root, 'node_modules', name, file);

const steps: { name: string; command: string[]; hint: string }[] = [
  {
    name: 'format and lint',
    command: [inPackage('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.'],
    hint: 'npm run format fixes most of it',
  },
  {
    name: 'types',
    command: [inPackage('typescript-native', 'bin/tsc'), '--project', '.'],
    hint: 'see the lines above',
  },
  {
    name: 'types of the console',
    command: [inPackage('typescript-native', 'bin/tsc'), '--project', 'console'],
    hint: 'see the lines above',
  },
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
  { name: 'generated files', command: ['tools/generate.ts', '--check'], hint: 'npm run generate' },
  {
    name: 'description',
    command: ['tools/description.ts'],
    hint: 'openapi.json must be clean for the linter',
  },
  {
    name: 'rules',
    command: ['tools/rules.ts', '--check'],
    hint: 'docs/behaviour/README.md says how rules are written, and how tests name them',
  },
];
// Alone and first: it plants a file for a moment, which the others must not see.
const arrows = {
  name: 'arrows',
  command: ['tools/arrows.ts'],
  hint: 'ARCHITECTURE.md shows which folder may import which',
};

async function run({ name, command, hint }: (typeof steps)[number]): Promise<boolean> {
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
  process.stdout.write(
    code === 0 ? `ok    ${name} (${seconds} s)\n` : `${output}\nFAIL  ${name} (${seconds} s): ${hint}\n`,
  );
  return code === 0;
}

if (process.argv.includes('--help')) {
  process.stdout.write(
    `Usage: npm run check\nRuns: ${[arrows, ...steps].map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit();
}

const results = [await run(arrows), ...(await Promise.all(steps.map(run)))];
if (!results.every(Boolean)) process.exitCode = 1;

// `npm run bench`: lists the cases, or runs some of them, each in a process of its own, and reports what they measured.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Case } from './case.ts';
import { findCase, loadCases } from './cases.ts';
import { formatTable, writeResults } from './report.ts';
import type { Row } from './rounds.ts';
import type { Order } from './run-case.ts';

const resultsFile = join(import.meta.dirname, 'results.json');
const say = (line: string) => void process.stdout.write(`${line}\n`);

function usage(cases: Case[]): string {
  const width = Math.max(...cases.map(({ name }) => name.length));
  const list = cases.map(
    ({ name, about, rounds, limitMinutes }) =>
      `  ${name.padEnd(width)}  ${about} (${rounds} rounds, at most ${limitMinutes} minutes)`,
  );
  return `Usage: npm run bench -- CASE...      measure these cases
       npm run bench -- all          measure all of them
Options:
  --rounds N    measure each variant N times
  --quick       one round of a small load: proves that a case works, its numbers mean little

Cases:
${list.join('\n')}

The table and bench/results.json hold medians. docs/performance.md says how to read them.
DATABASE_URL=postgres://... uses a PostgreSQL of your own; its user must be allowed to create databases.`;
}

let stopping = false;

/** The rows of a case, or undefined when it failed. */
function runInProcess(order: Order): Promise<Row[] | undefined> {
  const child = fork(join(import.meta.dirname, 'run-case.ts'), [JSON.stringify(order)]);
  const stop = (signal: NodeJS.Signals) => {
    stopping = true;
    child.kill(signal);
  };
  for (const signal of stopSignals) process.on(signal, stop);
  let rows: Row[] | undefined;
  child.on('message', (message) => {
    rows = message as Row[];
  });
  return new Promise((resolve) => {
    child.once('exit', () => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve(rows);
    });
  });
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const cases = await loadCases();
  if (values.help || positionals.length === 0) return say(usage(cases));
  const rounds = values.rounds === undefined ? null : Number(values.rounds);
  if (rounds !== null && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error(`--rounds must be a positive integer, not "${values.rounds}"`);
  const names = positionals.includes('all') ? cases.map(({ name }) => name) : [...new Set(positionals)];
  for (const name of names) await findCase(name);

  const measured: Row[] = [];
  const failed: string[] = [];
  for (const name of names) {
    const rows = stopping ? undefined : await runInProcess({ name, rounds, quick: values.quick ?? false });
    if (rows === undefined) {
      failed.push(name);
      continue;
    }
    measured.push(...rows);
    writeResults(resultsFile, rows);
  }
  if (measured.length > 0) say(`\n${formatTable(measured)}`);
  if (failed.length > 0) throw new Error(`Without a result: ${failed.join(', ')}`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

// `npm run bench`: measures the cases, each in a process of its own, and reports all of them in one table.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { runCommand, say } from '../tools/command.ts';
import type { Case, Row } from './case.ts';
import { findCase, loadCases } from './cases.ts';
import { compare, describeMachine, formatNumber, formatTable, type Result, writeResults } from './report.ts';
import type { Order, Outcome } from './run-case.ts';
import { seededSize } from './seeded.ts';

const resultsFile = join(import.meta.dirname, 'results.json');
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function usage(cases: Case[]): string {
  const width = Math.max(...cases.map(({ name }) => name.length));
  const list = cases.map(
    ({ name, about, onlyByName }) =>
      `  ${name.padEnd(width)}  ${about}${onlyByName ? ' (only when named)' : ''}`,
  );
  return `Usage: npm run bench                   measures every case, in less than ten minutes
       npm run bench -- CASE...        measures these cases
Options:
  --seed     fills a database of a million partners and ten million deliveries, and keeps it in bench/data (20 GB) for later runs;
             --partners N and --deliveries N change its size
  --quick    small loads, in two minutes: proves that the cases work, their numbers mean little

Cases:
${list.join('\n')}

bench/results.json holds the last table. docs/performance.md says how to read it.`;
}

let stopping = false;

function runInProcess(order: Order): Promise<Outcome | undefined> {
  const child = fork(join(import.meta.dirname, 'run-case.ts'), [JSON.stringify(order)]);
  const stop = (signal: NodeJS.Signals) => {
    stopping = true;
    child.kill(signal);
  };
  for (const signal of stopSignals) process.on(signal, stop);
  let outcome: Outcome | undefined;
  child.on('message', (message) => {
    outcome = message as Outcome;
  });
  return new Promise((resolve) => {
    child.once('exit', () => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve(outcome);
    });
  });
}

/** The cases to measure, each yardstick before the cases that need it. */
function choose(cases: Case[], names: string[], quick: boolean): Case[] {
  // Without a name, cases that need the filled database are left out when there is none, and from a quick
  // run.
  const wanted =
    names.length > 0
      ? names.map((name) => findCase(cases, name))
      : cases.filter(
          ({ onlyByName, seeded }) => !onlyByName && !(seeded && (quick || seededSize() === undefined)),
        );
  return [
    ...new Set(
      wanted.flatMap((each) =>
        each.yardstick === undefined ? [each] : [findCase(cases, each.yardstick), each],
      ),
    ),
  ];
}

function readCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`--${option} must be a whole number from 1 to 999999999, not "${text}"`);
  return Number(text);
}

const options = {
  quick: { type: 'boolean' },
  seed: { type: 'boolean' },
  partners: { type: 'string' },
  deliveries: { type: 'string' },
} as const;
const cases = await loadCases();

await runCommand(usage(cases), options, async (values, positionals) => {
  const { quick = false } = values;
  const size = {
    partners: readCount('partners', values.partners ?? '1000000'),
    deliveries: readCount('deliveries', values.deliveries ?? '10000000'),
  };
  const names = values.seed ? ['seed', ...positionals] : positionals;
  for (const option of ['partners', 'deliveries'] as const)
    if (values[option] !== undefined && !names.includes('seed')) throw new Error(`--${option} needs --seed`);
  const first = new Map<string, Row>();
  const about = new Map<string, string>();
  const results: Result[] = [];
  const failed: string[] = [];
  for (const { name, yardstick } of choose(cases, names, quick)) {
    const outcome = stopping ? undefined : await runInProcess({ name, quick, size });
    const [row] = outcome?.rows ?? [];
    if (outcome === undefined || row === undefined) {
      failed.push(name);
      continue;
    }
    first.set(name, row);
    for (const [key, value] of outcome.about) about.set(key, value);
    const base = yardstick === undefined ? undefined : first.get(yardstick);
    const compared = compare(outcome.rows, base && { name: yardstick ?? '', row: base });
    results.push(...compared);
    for (const each of compared)
      process.stderr.write(`${each.name}: ${formatNumber(each.value)} ${each.unit}\n`);
  }
  if (results.length > 0) {
    const machine = describeMachine(about);
    writeResults(resultsFile, machine, results);
    say(`\n${machine}\n\n${formatTable(results)}`);
  }
  if (failed.length > 0) throw new Error(`Without a result: ${failed.join(', ')}`);
});

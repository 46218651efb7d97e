// Ends the run with the times of the slowest files and one line with the number of tests.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

type Counts = { passed: number; failed: number; skipped: number };

const slowest = 10;

/** If TEST_COUNTS names a file, the line counts the tests of all runs that share this file. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    if (modules.length > slowest) process.stdout.write(listSlowest(modules));
    const { passed, failed, skipped } = addEarlierRuns(count(modules, errors), process.env.TEST_COUNTS);
    const counts = [`${passed} passed`, `${failed} failed`, ...(skipped ? [`${skipped} skipped`] : [])];
    process.stdout.write(`${counts.join(', ')}\n`);
  }
}

function count(modules: readonly TestModule[], errors: readonly unknown[]): Counts {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
  // A file that could not be loaded and an error outside of tests are failures too.
  const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length + errors.length;
  return { passed: inState('passed'), failed: inState('failed') + broken, skipped: inState('skipped') };
}

function addEarlierRuns(counts: Counts, file: string | undefined): Counts {
  if (!file) return counts;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const before: Counts = text === '' ? { passed: 0, failed: 0, skipped: 0 } : JSON.parse(text);
  const sum = {
    passed: before.passed + counts.passed,
    failed: before.failed + counts.failed,
    skipped: before.skipped + counts.skipped,
  };
  writeFileSync(file, JSON.stringify(sum));
  return sum;
}

function listSlowest(modules: readonly TestModule[]): string {
  const times = modules.map((module) => {
    const { prepareDuration, environmentSetupDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    return {
      file: relative(process.cwd(), module.moduleId),
      ms: prepareDuration + environmentSetupDuration + collectDuration + setupDuration + duration,
    };
  });
  const lines = times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowest)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}\n`);
  return `The slowest files:\n${lines.join('')}`;
}

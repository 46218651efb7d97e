// Ends the run with the times of the slowest files, the tests that failed, and one line with the number of
// tests.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

type Counts = { passed: number; skipped: number; failures: readonly string[] };

const slowest = 10;

/** If TEST_COUNTS names a file, the failures and the line are those of all runs that share this file. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    if (modules.length > slowest) process.stdout.write(listSlowest(modules));
    const { passed, skipped, failures } = addEarlierRuns(count(modules, errors), process.env.TEST_COUNTS);
    for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
    const counts = [
      `${passed} passed`,
      `${failures.length} failed`,
      ...(skipped ? [`${skipped} skipped`] : []),
    ];
    process.stdout.write(`${counts.join(', ')}\n`);
  }
}

function count(modules: readonly TestModule[], errors: readonly SerializedError[]): Counts {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  const failed = inState('failed').map((test) =>
    describe(test.module, test.fullName, test.result().errors ?? []),
  );
  // A file that could not be loaded and an error outside of tests are failures too.
  const broken = modules
    .filter((module) => module.state() === 'failed' && module.errors().length > 0)
    .map((module) => describe(module, 'the file', module.errors()));
  const outside = errors.map((error) => `outside of tests: ${firstLine(error)}`);
  return {
    passed: inState('passed').length,
    skipped: inState('skipped').length,
    failures: [...failed, ...broken, ...outside],
  };
}

const fileOf = (module: TestModule) => relative(process.cwd(), module.moduleId);
const firstLine = (error: SerializedError) => error.message.split('\n', 1)[0] ?? '';
/** A test that hangs often has a second error, from its end, which says why. */
const describe = (module: TestModule, name: string, errors: readonly SerializedError[]) =>
  `${fileOf(module)}: ${name}: ${errors.map(firstLine).join('; ')}`;

function addEarlierRuns(counts: Counts, file: string | undefined) {
  if (!file) return counts;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const before: Counts = text === '' ? { passed: 0, skipped: 0, failures: [] } : JSON.parse(text);
  const sum = {
    passed: before.passed + counts.passed,
    skipped: before.skipped + counts.skipped,
    failures: [...before.failures, ...counts.failures],
  };
  writeFileSync(file, JSON.stringify(sum));
  return sum;
}

function listSlowest(modules: readonly TestModule[]) {
  const times = modules.map((module) => {
    const { prepareDuration, environmentSetupDuration, collectDuration, setupDuration, duration } =
      module.diagnostic();
    return {
      file: fileOf(module),
      ms: prepareDuration + environmentSetupDuration + collectDuration + setupDuration + duration,
    };
  });
  const lines = times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowest)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}\n`);
  return `The slowest files:\n${lines.join('')}`;
}

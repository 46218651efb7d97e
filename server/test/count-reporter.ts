// Ends the run with one plain line that counts the tests.
import type { Reporter, TestModule } from 'vitest/node';

export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that could not even be loaded, or an error outside any test, is a failure too.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length + errors.length;
    const skipped = inState('skipped');
    const counts = [
      `${inState('passed')} passed`,
      `${inState('failed') + broken} failed`,
      ...(skipped ? [`${skipped} skipped`] : []),
    ];
    process.stdout.write(`${counts.join(', ')}\n`);
  }
}

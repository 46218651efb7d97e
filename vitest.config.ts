// The tests: beside their file, or in the test folder of their workspace. Only those of the server need a
// database.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { CountReporter } from './server/test/count-reporter.ts';
import { SlowFirst } from './server/test/slow-first.ts';

/**
 * A guard against a test that hangs, and never an assertion: on a busy machine, a test takes many times as long as on a
 * quiet one. The long forms of tests (`npm run test:long`) do the same with larger numbers.
 */
const guardMs = 900_000;

const everywhere = {
  pool: 'forks',
  // One process runs file after file: it loads and compiles modules once.
  isolate: false,
  // What Node compiles is kept for the next process, as by `npm start`.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/concord') },
  testTimeout: guardMs,
  hookTimeout: guardMs,
  // Most polls send requests: more often, they cost more than the wait.
  expect: { poll: { timeout: guardMs / 3, interval: 50 } },
} as const;

export default defineConfig({
  test: {
    // Tests wait for the database and for sockets: more files at once than there are cores. On two cores the whole
    // takes 406 s with 3, 375 s with 4, and 401 s with 6, whose polls cost more.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'server',
          include: ['server/test/**/*.test.ts'],
          exclude: [
            'server/test/machines/**',
            // `npm run test:faults` runs all of them.
            ...(process.env.FAULTS_SECONDS ? [] : ['server/test/faults/!(kills).test.ts']),
          ],
          globalSetup: 'server/test/global-setup.ts',
        },
      },
      { test: { ...everywhere, name: 'units', include: ['{server,console}/src/**/*.test.ts'] } },
      { test: { ...everywhere, name: 'packages', include: ['packages/**/*.test.ts'] } },
      { test: { ...everywhere, name: 'tools', include: ['tools/**/*.test.ts'] } },
      { test: { ...everywhere, name: 'bench', include: ['bench/**/*.test.ts'] } },
    ],
    reporters: ['default', new CountReporter()],
  },
});

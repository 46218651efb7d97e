// The tests: beside their file, or in the test folder of their workspace. Only those of the server need a database.
import { defineConfig } from 'vitest/config';
import { CountReporter } from './server/test/count-reporter.ts';

/** The long forms of tests (`npm run test:long`) do the same with larger numbers. */
const isLong = process.env.TEST_LENGTH === 'long';
/** A guard against a test that hangs, and never an assertion: a test that waits for an event may wait this long on a busy machine. */
const guardMs = isLong ? 900_000 : 300_000;

const everywhere = {
  pool: 'forks',
  testTimeout: guardMs,
  hookTimeout: guardMs,
  expect: { poll: { timeout: guardMs / 3, interval: 20 } },
} as const;

export default defineConfig({
  test: {
    // Tests wait for the database and for sockets a good part of their time: more files at once than there are cores.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...everywhere,
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: 'server/test/global-setup.ts',
        },
      },
      { test: { ...everywhere, name: 'packages', include: ['packages/**/*.test.ts'] } },
    ],
    reporters: ['default', new CountReporter()],
  },
});

// The tests: beside their file, or in the test folder of their workspace. Only those of the server need a database.
import { defineConfig } from 'vitest/config';
import { CountReporter } from './server/test/count-reporter.ts';

const everywhere = {
  pool: 'forks',
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // What is waited for comes in milliseconds; a machine under load takes longer.
  expect: { poll: { timeout: 10_000 } },
} as const;

export default defineConfig({
  test: {
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
      { test: { ...everywhere, name: 'bench', include: ['bench/**/*.test.ts'] } },
    ],
    reporters: ['default', new CountReporter()],
  },
});

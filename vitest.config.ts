// The tests: beside their file, or in server/test when they drive the service over HTTP.
import { defineConfig } from 'vitest/config';
import { CountReporter } from './server/test/count-reporter.ts';

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts'],
    globalSetup: 'server/test/global-setup.ts',
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', new CountReporter()],
  },
});

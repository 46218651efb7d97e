// The tests in a browser (`npm run test:browser`) and the pictures of the documentation (`npm run pictures`).
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { CountReporter } from './server/test/count-reporter.ts';
import { SlowFirst } from './server/test/slow-first.ts';

/** A guard against a test that hangs, and never an assertion. */
const guardMs = 300_000;

const everywhere = {
  pool: 'forks',
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/concord') },
  testTimeout: guardMs,
  hookTimeout: guardMs,
  expect: { poll: { timeout: guardMs / 3, interval: 20 } },
  isolate: false,
} as const;
const globalSetup = ['server/test/global-setup.ts', 'console/test/browser/global-setup.ts'];

export default defineConfig({
  test: {
    // Each file has a service, and all of them one browser.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: { ...everywhere, globalSetup, name: 'browser', include: ['console/test/browser/**/*.test.ts'] },
      },
      {
        test: {
          ...everywhere,
          globalSetup,
          name: 'pictures',
          include: ['console/test/browser/**/*.pictures.ts'],
        },
      },
    ],
    reporters: ['default', new CountReporter()],
  },
});

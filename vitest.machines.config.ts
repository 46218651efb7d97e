// The tests of several machines (`npm run test:machines`). `npm test` does not run them: they make networks
// and servers of their own.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { CountReporter } from './server/test/count-reporter.ts';

/** A guard against a test that hangs, and never an assertion. */
const guardMs = 180_000;

export default defineConfig({
  test: {
    name: 'machines',
    include: ['server/test/machines/**/*.test.ts'],
    pool: 'forks',
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/concord') },
    testTimeout: guardMs,
    hookTimeout: guardMs,
    expect: { poll: { timeout: guardMs / 2, interval: 20 } },
    fileParallelism: false,
    reporters: ['default', new CountReporter()],
  },
});

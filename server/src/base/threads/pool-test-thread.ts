// The jobs of the pool's tests.
import { invalidRequest } from '../errors.ts';
import { serveJobs } from './thread.ts';

serveJobs({
  double: (value: number) => value * 2,
  count: (limit: number) => Array.from({ length: limit }, (_, index) => index).length,
  spin() {
    for (;;);
  },
  fail() {
    throw new Error('failed');
  },
  exit: () => process.exit(),
  fill() {
    const kept: object[] = [];
    for (;;) kept.push({ kept: kept.length });
  },
  refuse() {
    throw invalidRequest('/x', 'must not');
  },
});

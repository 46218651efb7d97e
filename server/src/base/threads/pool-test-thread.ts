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
  nest(depth: number) {
    let nested: unknown = depth;
    for (let level = 0; level < depth; level++) nested = [nested];
    return nested;
  },
  fill() {
    const kept: object[] = [];
    for (;;) kept.push({ kept: kept.length });
  },
  refuse() {
    throw invalidRequest('/x', 'must not');
  },
});

// The size of the console, which everybody who opens it downloads.
import { expect, it } from 'vitest';
import { measureConsole } from './console.ts';

it('B43: the first page takes at most 130 kB compressed with gzip, and everything at most 300 kB', async () => {
  const { first, all } = await measureConsole();
  expect(first).toBeGreaterThan(10_000);
  expect(first).toBeLessThanOrEqual(130_000);
  expect(all).toBeGreaterThan(first);
  expect(all).toBeLessThanOrEqual(300_000);
});

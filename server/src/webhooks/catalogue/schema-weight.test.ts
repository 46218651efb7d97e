// What is too heavy for the event loop, whatever it is compiled to.
import { expect, it } from 'vitest';
import { weighSchema } from './schema-weight.ts';

const tooHeavy = 100;

it('F6: data that looks like a long pattern, and patterns with many classes of characters, go to a thread', () => {
  expect(weighSchema({ const: { pattern: `{${'1'.repeat(60_000)}` } })).toBeGreaterThan(tooHeavy);
  expect(weighSchema({ pattern: '^[a-z]{2,20}$' })).toBeLessThan(tooHeavy);
  const classes = '[\\p{L}\\p{N}\\p{M}\\P{Z}]'.repeat(20);
  expect(weighSchema({ pattern: classes })).toBeGreaterThan(tooHeavy);
});

// The list of cases.
import { expect, test } from 'vitest';
import { loadCases } from './cases.ts';

test('each case has a name of its own, and its yardstick is a case', async () => {
  const cases = await loadCases();
  const names = cases.map(({ name }) => name);
  expect(names).toContain('spread');
  expect(new Set(names).size).toBe(names.length);
  expect(cases.filter(({ yardstick }) => yardstick !== undefined && !names.includes(yardstick))).toEqual([]);
});

// Retry-After.
import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

it('W15: Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(readRetryAfter('120', now)).toBe(120_000);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000);
  expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  for (const value of [undefined, '', 'soon', '-1', '1.5', '2026-01-01'])
    expect(readRetryAfter(value, now)).toBeUndefined();
});

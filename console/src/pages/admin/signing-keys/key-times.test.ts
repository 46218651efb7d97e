// The phases of a key's life, and when a rotation takes effect.
import type { SigningKey } from '@concord/client';
import { expect, it } from 'vitest';
import { phasesOf, rotatesAt } from './key-times.ts';

const dayMs = 24 * 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const at = (days: number): string => new Date(start + days * dayMs).toISOString();
const key: SigningKey = {
  kid: 'k',
  environment: 'live',
  state: 'pending',
  revoked_at: null,
  created_at: at(0),
  activates_at: at(30),
  retires_at: at(60),
};
const daysOf = (of: SigningKey) =>
  phasesOf(of).map(({ state, from, to }) => [state, (from - start) / dayMs, (to - start) / dayMs]);

it('B42: a key is published, signs, and stays published for 21 days; a revocation ends it at once', () => {
  expect(daysOf(key)).toEqual([
    ['pending', 0, 30],
    ['active', 30, 60],
    ['retired', 60, 81],
  ]);
  expect(daysOf({ ...key, revoked_at: at(40) })).toEqual([
    ['pending', 0, 30],
    ['active', 30, 40],
  ]);
});

it('B42: the first key signs at once, and was never only published', () => {
  expect(daysOf({ ...key, activates_at: at(0), retires_at: at(30) })[0]).toEqual(['active', 0, 30]);
});

it('B42: the next key signs when it has been published for 48 hours', () => {
  expect(rotatesAt([key], start)).toBe(start + 2 * dayMs);
  expect(rotatesAt([key], start + 10 * dayMs)).toBe(start + 10 * dayMs);
  expect(rotatesAt([{ ...key, state: 'active' }], start)).toBe(null);
});

// The words of an error.
import { ConcordError } from '@concord/client';
import { expect, it } from 'vitest';
import { errorText } from './errors.ts';

it('E1: a page explains a bare 404, and keeps the message of one that says more', () => {
  const textOf = (message: string, explain = {}) =>
    errorText(new ConcordError(message, { code: 'not_found', status: 404 }), explain);
  expect(textOf('Not found.')).toContain('deleted');
  const reason = 'The partner has no identity provider that is on.';
  expect(textOf(reason)).toBe(reason);
  expect(textOf(reason, { not_found: 'Ask an owner.' })).toBe('Ask an owner.');
});

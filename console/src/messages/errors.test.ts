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

it('B83: an error says what to do, in words of no protocol', () => {
  const textOf = (message: string, details: ConstructorParameters<typeof ConcordError>[1]) =>
    errorText(new ConcordError(message, details));
  const late = 'Too many requests. Try again after the time in Retry-After.';
  const code = 'rate_limited';
  expect(textOf(late, { code, retryAfterMs: 120_000 })).toBe('Too many requests. Try again in 2 min.');
  expect(textOf(late, { code })).toBe('Too many requests. Try again later.');
  const proxy = textOf('The answer 502 is not from Concord', { code: 'invalid_answer', status: 502 });
  expect(proxy).toContain('such as a proxy');
  const changed = 'The resource has changed: its ETag does not match If-Match.';
  expect(textOf(changed, { code: 'precondition_failed' })).toContain('Reload the page');
});

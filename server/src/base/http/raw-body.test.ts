// Forms.
import { expect, it, onTestFinished, vi } from 'vitest';
import { parseForm } from './raw-body.ts';

it('F6: a form is read once, however many members it has', () => {
  const search = vi.spyOn(URLSearchParams.prototype, 'getAll');
  onTestFinished(() => search.mockRestore());
  const names = Array.from({ length: 10_000 }, (_, index) => `m${index}`);
  const form = parseForm(`${names.map((name) => `${name}=1`).join('&')}&m0=2&m1=&empty=`);
  expect(form).toEqual({ ...Object.fromEntries(names.map((name) => [name, '1'])), m0: ['1', '2'] });
  expect(search).not.toHaveBeenCalled();
});

import { expect, it } from 'vitest';
import { createFailures } from './failures.ts';

it('S2: a failure of the database comes before an answer and a refusal that were made of it', async () => {
  const failures = createFailures();
  const lost = new Error('The connection is gone');
  const swallow = failures.noting(() => Promise.reject(lost));
  const answer = () => swallow().catch(() => 'signed in');
  const refuse = () => swallow().catch(() => Promise.reject(new Error('There is no such user')));
  for (const call of [answer, refuse]) await expect(failures.surface(call)).rejects.toBe(lost);
  await expect(failures.surface(() => Promise.reject(new Error('Refused')))).rejects.toThrow('Refused');
});

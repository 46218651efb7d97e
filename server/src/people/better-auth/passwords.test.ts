// Password work in the line of its asker, also when the caller in between knows no asker.
import { expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

it('L3: hashing and verifying wait in the line of the address that asks, and a request that ended asks no more', async () => {
  const order: string[] = [];
  const gates: (() => void)[] = [];
  const gated = (name: string) => {
    order.push(name);
    return new Promise<void>((resolve) => gates.push(resolve));
  };
  const passwords = createPasswords({
    hashPassword: async (password) => gated(password).then(() => password),
    verifyPassword: async ({ password }) => gated(password).then(() => true),
  });
  const ask = (group: string, password: string, gone = new AbortController().signal) => {
    let answer: Promise<unknown> = Promise.resolve();
    const work: () => Promise<unknown> = password.startsWith('hash')
      ? () => passwords.hash(password)
      : () => passwords.verify({ hash: '', password });
    passwords.askedBy({ group, gone }, () => {
      answer = Promise.resolve().then(work);
    });
    return answer.catch(({ code }) => code);
  };
  const gone = new AbortController();
  const flood = ['hash 1', 'verify 2', 'hash 3', 'verify 4'].map((password) => ask('flood', password));
  const left = ask('flood', 'hash 5', gone.signal);
  const owner = ask('owner', 'verify me');
  await expect.poll(() => order).toHaveLength(2);
  gone.abort();
  const all = Promise.all([...flood, left, owner]);
  while (order.length < 5 || gates.length > 0) {
    gates.shift()?.();
    await Promise.resolve();
  }
  expect(await all).toEqual(['hash 1', true, 'hash 3', true, 'rate_limited', true]);
  expect(order).toEqual(['hash 1', 'verify 2', 'hash 3', 'verify me', 'verify 4']);
});

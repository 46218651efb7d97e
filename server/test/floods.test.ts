// Floods from one address: passwords and guessed tokens. Others go on working.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operator, startTestService, type TestService } from './start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '1000/60s', CONCORD_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });
const post = (path: string, body: object, address: string) =>
  service.request('POST', `/api/auth/${path}`, { token: null, body, headers: from(address) });
const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

it('L3: sign-ins and sign-ups from one address wait in one line; a full line refuses only that address', async () => {
  const statuses: number[] = [];
  const password = 'a wrong password';
  const flood = Array.from({ length: 60 }, async (_, i) => {
    const email = `nobody${i}@flood.example`;
    const answer = await (i % 2 === 0
      ? post('sign-in/email', { email, password }, '203.0.113.1')
      : post('sign-up/email', { name: 'N', email, password }, '203.0.113.1'));
    statuses.push(answer.status);
    return answer;
  });
  // A refusal says that the line is full.
  await expect.poll(() => count(statuses, 429)).toBeGreaterThan(30);
  const owner = await post('sign-in/email', operator, '198.51.100.1');
  expect(owner.status).toBe(200);
  const answers = await Promise.all(flood);
  expect(count(statuses, 500)).toBe(0);
  expect(answers.filter(({ status }) => status === 429).every(({ headers }) => headers['retry-after'] === '5')).toBe(true);
});

it('L1, L3: a sign-in that is refused because the line is full is no failed attempt', async () => {
  const signIn = (password: string) => post('sign-in/email', { email: operator.email, password }, '203.0.113.2');
  const flood = Array.from({ length: 30 }, (_, i) =>
    post('sign-in/email', { email: `nobody${i}@flood.example`, password: 'wrong' }, '203.0.113.2'),
  );
  await Promise.all([...flood, ...Array.from({ length: 10 }, () => signIn(operator.password))]);
  expect((await signIn(operator.password)).status).toBe(200);
});

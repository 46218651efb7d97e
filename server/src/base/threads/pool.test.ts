// Threads, with a script of their own.
import { afterEach, expect, it } from 'vitest';
import { createPool, LimitError, type Pool } from './pool.ts';

const open: Pool[] = [];
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.stop();
});
const start = (threads: number) => {
  const pool = createPool({
    script: new URL('./pool-test-thread.ts', import.meta.url),
    threads,
    maxHeapMiB: 32,
  });
  open.push(pool);
  return pool;
};
const options = { caller: 'a', deadlineMs: 60_000 };

it('F6: no thread exists before the first job, and no more than the limit after many', async () => {
  const pool = start(2);
  expect(pool.size()).toBe(0);
  const all = await Promise.all(Array.from({ length: 20 }, (_, index) => pool.run('double', index, options)));
  expect([all, pool.size()]).toEqual([Array.from({ length: 20 }, (_, index) => index * 2), 2]);
});

it('F6: jobs of one thread run one after the other, in their order', async () => {
  const pool = start(1);
  const ended: number[] = [];
  await Promise.all(
    [30, 1, 20, 1].map((n, index) => pool.run('count', n * 1_000, options).then(() => ended.push(index))),
  );
  expect(ended).toEqual([0, 1, 2, 3]);
});

it('F6: a job that does not end is ended at its deadline, and the next job gets a new thread', async () => {
  const pool = start(1);
  const endless = pool.run('spin', null, { caller: 'a', deadlineMs: 50 });
  const next = pool.run('double', 4, options);
  await expect(endless).rejects.toBeInstanceOf(LimitError);
  expect(await next).toBe(8);
});

it('F6: a job that fails, needs too much memory, returns what cannot be read or ends its thread is rejected alone', async () => {
  const pool = start(1);
  const jobs = ['fail', 'exit', 'fill', 'nest'].map((name) => pool.run(name, 10_000, options));
  const good = pool.run('double', 4, options);
  const ends = (await Promise.allSettled(jobs)).map((end) => end.status === 'rejected' && end.reason);
  expect(ends.map((reason) => reason instanceof LimitError)).toEqual([false, false, true, false]);
  expect(ends).toEqual(ends.map(() => expect.any(Error)));
  expect(await good).toBe(8);
  const refused = pool.run('refuse', null, options);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', faults: [{ pointer: '/x' }] });
});

it('F6: only a limited number of jobs waits, and none after the stop', async () => {
  const pool = start(1);
  const job = (_: unknown, index: number) =>
    pool.run('double', 1, { ...options, caller: `${index % 6}` }).catch(({ code }) => code);
  const jobs = Array.from({ length: 202 }, job);
  expect((await Promise.all(jobs)).filter((result) => result === 'rate_limited')).toHaveLength(1);
  const running = pool.run('spin', null, options);
  const waiting = pool.run('double', 1, options);
  const ended = Promise.allSettled([running, waiting]);
  await pool.stop();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(pool.run('double', 1, options)).rejects.toThrow('stopping');
});

it('F6: callers take turns, and one caller waits with 40 jobs at most', async () => {
  const pool = start(1);
  const ended: string[] = [];
  const run = (caller: string) =>
    pool.run('count', 1_000, { ...options, caller }).then(() => ended.push(caller));
  const flood = Array.from({ length: 42 }, () => run('a').catch(({ code }) => ended.push(code)));
  await Promise.all([...flood, run('b')]);
  expect(ended.slice(0, 4)).toEqual(['rate_limited', 'a', 'a', 'b']);
  expect(ended).toHaveLength(43);
});

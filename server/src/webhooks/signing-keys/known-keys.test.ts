// What is remembered of the keys while the database is away, on a clock of the test.
import { expect, it } from 'vitest';
import { createKnownKeys } from './known-keys.ts';

const dayMs = 24 * 60 * 60_000;

/** A database whose answers the test gives. */
function stage() {
  const asked: PromiseWithResolvers<{ keys: string; now: number }>[] = [];
  const clock = { ms: 0 };
  const read = () => {
    const answer = Promise.withResolvers<{ keys: string; now: number }>();
    asked.push(answer);
    return answer.promise;
  };
  const answer = (keys: string) => asked.at(-1)!.resolve({ keys, now: 1_000 });
  const fail = () => asked.at(-1)!.reject(new Error('away'));
  return { known: createKnownKeys({ read, elapsedMs: () => clock.ms }), asked, clock, answer, fail };
}

it('W27: while the database is away, the last known keys are used for a day, and their time goes on', async () => {
  const { known, asked, clock, answer, fail } = stage();
  const first = known.get();
  answer('a');
  expect(await first).toEqual({ keys: 'a', now: 1_000 });
  for (const age of [5, 1_100, dayMs]) {
    clock.ms = age;
    const before = asked.length;
    const got = known.get();
    fail();
    expect([await got, asked.length]).toEqual([{ keys: 'a', now: 1_000 + age }, before + 1]);
    // The database is asked once a second.
    expect([await known.get(), asked.length]).toEqual([{ keys: 'a', now: 1_000 + age }, before + 1]);
  }
  clock.ms = dayMs + 1;
  const old = known.get();
  fail();
  await expect(old).rejects.toThrow('away');
  const back = known.get();
  answer('b');
  expect((await back).keys).toBe('b');
});

it('W27: a database that does not answer is not waited for', async () => {
  const { known, asked, answer } = stage();
  const first = known.get();
  answer('a');
  await first;
  // The read never ends.
  expect((await known.get()).keys).toBe('a');
  expect(asked).toHaveLength(2);
});

it('W6, W27: a read that began before a change is not shared; those who come meanwhile share the next one', async () => {
  const { known, asked, answer } = stage();
  const first = known.get();
  const others = [known.get(), known.get(), known.get()];
  answer('before');
  expect((await first).keys).toBe('before');
  await expect.poll(() => asked.length).toBe(2);
  answer('after');
  expect((await Promise.all(others)).map(({ keys }) => keys)).toEqual(['after', 'after', 'after']);
  expect(asked).toHaveLength(2);
});

it('W6, W27: a change of this process ends the pause', async () => {
  const { known, asked, answer, fail } = stage();
  const first = known.get();
  answer('a');
  await first;
  const away = known.get();
  fail();
  await away;
  known.changed();
  const changed = known.get();
  answer('b');
  await expect.poll(() => asked.length).toBe(4);
  answer('c');
  expect((await changed).keys).toBe('c');
});

it('W6, W27: what this process changed is remembered, even if nobody has asked for the keys since', async () => {
  const { known, asked, answer, fail } = stage();
  const first = known.get();
  answer('with a key that is revoked later');
  await first;
  known.changed();
  expect(asked).toHaveLength(2);
  answer('without it');
  const away = known.get();
  await expect.poll(() => asked.length).toBe(3);
  fail();
  expect((await away).keys).toBe('without it');
});

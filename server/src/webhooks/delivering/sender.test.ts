// A strict lane goes on with the delivery that was read when the result before was recorded.
import { expect, it } from 'vitest';
import { createLane } from '../lanes/lane.ts';
import type { Next } from './recorder.ts';
import { createSender } from './sender.ts';
import type { Signers } from './sign.ts';
import { type AttemptResult, alone, type DueDelivery } from './store.ts';

const keys = {} as Signers;
const dueOf = (id: string, ordering: 'none' | 'strict' = 'strict') =>
  alone({
    id,
    ordering,
    max_concurrency: 8,
    rate_limit_per_second: null,
    failing_since: null,
    now: new Date(),
  } as DueDelivery);
const nextOf = (id: string, failingSince: Date | null = null): Next => ({
  due: { ...dueOf(id), failing_since: failingSince },
  readAt: performance.now(),
  keys,
});

/** `nexts`: what the recorder has read after each result. */
async function send(nexts: (Next | undefined)[], { isOurs = true, failing = false } = {}) {
  const lane = createLane(
    { endpointId: 'lane', epoch: '1', failingSince: failing ? new Date() : null },
    performance.now(),
  );
  lane.learn({ ...dueOf('terms'), failing_since: failing ? new Date() : null });
  const done: string[] = [];
  const sender = createSender({
    makeAttempt: async ({ id }) => {
      done.push(`sends ${id}`);
      return { unanswered: false } as AttemptResult;
    },
    recorder: {
      add: async () => {
        done.push('records');
        return nexts.shift();
      },
      stop: () => {},
    },
    concurrency: 4,
    isOurs: () => isOurs,
    wake: () => done.push('wakes'),
  });
  void sender.send(dueOf('first'), lane, keys);
  await sender.inFlight.empty();
  return { done, lane };
}

it('W17: a strict lane goes on without a pass until nothing more is due', async () => {
  const { done, lane } = await send([nextOf('second'), nextOf('third'), undefined]);
  const sent = ['sends first', 'records', 'sends second', 'records', 'sends third', 'records'];
  expect(done).toEqual([...sent, 'wakes']);
  expect(lane.capacity(performance.now())).toBe(1);
});

it('W17: a strict lane that was lost, or that fails, is left to the next pass', async () => {
  const passes = ['sends first', 'records', 'wakes'];
  expect((await send([nextOf('second')], { isOurs: false })).done).toEqual(passes);
  expect((await send([nextOf('second', new Date())], { failing: true })).done).toEqual(passes);
});

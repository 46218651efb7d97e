// The horizon of the feed: the position up to which every event of a partner has committed.
import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../../base/errors.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import * as store from './store.ts';

/** A group takes milliseconds, and a large batch takes seconds. */
const pauseMs = { first: 5, longest: 100 };
const patienceMs = 12_000;

/**
 * Who publishes holds the publish lock before it draws positions. So when the transactions that hold it after
 * the position was read have ended, every event up to this position has committed. It waits without a
 * connection and without a lock, and delays no publisher.
 * @throws ServiceError rate_limited when a transaction takes too long
 */
export async function readHorizon(on: Queryable, partnerId: string): Promise<string> {
  const startedAt = performance.now();
  const position = await store.selectLastPosition(on);
  let publishers = await store.selectPublishers(on, partnerId);
  for (let pause = pauseMs.first; publishers.length > 0; pause = Math.min(2 * pause, pauseMs.longest)) {
    if (performance.now() - startedAt > patienceMs) throw stillPublishing();
    await setTimeout(pause);
    const now = new Set(await store.selectPublishers(on, partnerId));
    publishers = publishers.filter((publisher) => now.has(publisher));
  }
  return position;
}

const stillPublishing = () =>
  new ServiceError('rate_limited', {
    detail: `The feed waits for events that are being published for more than ${patienceMs / 1_000} seconds. Try again in 1 second.`,
    headers: { 'retry-after': '1' },
  });

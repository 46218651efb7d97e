// Up to which position every event of a partner has committed (behaviour W10).
import { setTimeout } from 'node:timers/promises';
import type { Queryable } from '../../base/postgres/database.ts';
import * as store from './store.ts';

/** A group takes milliseconds, and a large batch takes seconds. */
const pauseMs = { first: 5, longest: 100 };

export type Horizon = store.LastPosition & {
  /** The partners for which it does not hold: their publishers took too long. */
  readonly late: ReadonlySet<string>;
};

/**
 * The position up to which every event of the partners has committed. A publisher holds the publish lock before
 * it draws positions, so this waits for those that held it after the position was read. It waits without a
 * connection and without a lock.
 */
export async function readHorizon(
  on: Queryable,
  partnerIds: readonly string[],
  patienceMs: number,
): Promise<Horizon> {
  const startedAt = performance.now();
  const last = await store.selectLastPosition(on);
  let publishers = await store.selectPublishers(on, partnerIds);
  for (let pause = pauseMs.first; publishers.length > 0; pause = Math.min(2 * pause, pauseMs.longest)) {
    if (performance.now() - startedAt > patienceMs) break;
    await setTimeout(pause);
    const now = new Set((await store.selectPublishers(on, partnerIds)).map(nameOf));
    publishers = publishers.filter((each) => now.has(nameOf(each)));
  }
  return { ...last, late: new Set(publishers.map(({ partner_id }) => partner_id)) };
}

const nameOf = ({ partner_id, publisher }: store.Publisher) => `${partner_id} ${publisher}`;

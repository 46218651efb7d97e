// Totals of long lists. A client that reads page after page counts once.
import type { Sql } from 'sql-template-tag';
import { createKept } from '../../keep-last.ts';
import type { Queryable } from '../database.ts';
import { maxExactCount, selectTotal, type Total } from './rows.ts';

const keptMs = 10_000;
/** Larger, so that no list gets an exact total while its estimate is kept. */
const leastKept = 2 * maxExactCount;
const maxKept = 1_000;
/** Bounds the memory of a statement with its values, in characters. */
const maxKeyLength = 1_000;

export type Totals = ReturnType<typeof createTotals>;

export function createTotals(nowMs?: () => number) {
  const kept = createKept<Total>(keptMs, maxKept, nowMs);
  return async (on: Queryable, from: Sql): Promise<Total> => {
    const key = JSON.stringify([from.sql, from.values]);
    const known = kept.get(key);
    if (known) return known;
    const total = await selectTotal(on, from);
    if (total.estimated && total.count >= leastKept && key.length <= maxKeyLength) kept.set(key, total);
    return total;
  };
}

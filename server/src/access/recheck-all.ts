// Decides access of many requests again inside one transaction.
import { ServiceError } from '../base/errors.ts';
import type { Transaction } from '../base/postgres/database.ts';
import { type Granted, type Grants, unlessBanned } from './grants.ts';
import { readAccess, shapeOf, tryLockCallers } from './store.ts';

/**
 * What `recheckAll` found about one caller. `error`: what `recheck` would throw. `busy`: something is locked,
 * and nothing was decided.
 */
export type Rechecked = { granted: Granted } | { error: unknown } | 'busy';

/** Does not wait for locks. The results are in the order of the requests. */
export async function recheckAll(
  { allowedOf, toGranted }: Grants,
  tx: Transaction,
  all: readonly Granted[],
): Promise<Rechecked[]> {
  const allowed = all.map(allowedOf);
  const locking = tryLockCallers(
    tx,
    allowed.map(({ found }) => found),
  );
  const reading = [...Map.groupBy(allowed, ({ query }) => shapeOf(query)).values()].map(async (alike) => {
    const found = await readAccess(
      tx,
      alike.map(({ query }) => query),
    );
    return alike.map((each, index) => [each, found[index] ?? null] as const);
  });
  const [locked, read] = await Promise.all([locking, Promise.all(reading)]);
  const foundOf = new Map(read.flat());
  return allowed.map((each, index) => {
    const found = unlessBanned(foundOf.get(each), each.policy);
    if (!locked[index]) return 'busy';
    try {
      if (found === null) throw new ServiceError('unauthenticated');
      return { granted: toGranted({ ...each, found }) };
    } catch (error) {
      return { error };
    }
  });
}

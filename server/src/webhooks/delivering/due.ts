// Reads what lanes send next, as requests: deliveries alone, or in batches.
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import type { Lease } from '../lanes/store.ts';
import { type Formed, formBatches } from './batches/batches.ts';
import { alone, type DueDelivery, selectDue } from './store.ts';

/** `terms`: of the endpoint. Undefined: nothing is pending. `waitMs`: until more is due, as far as is known. */
export type Found = Formed & { readonly terms: DueDelivery | undefined };
type Reading = {
  on: Queryable;
  /** Batches are formed in it, so their requests may be sent when it has committed. */
  transact: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
};

/** What is due in these lanes, up to the share of each, without the requests in flight. By endpoint. */
export async function readDue(
  { on, transact }: Reading,
  lanes: readonly (Lease & { share: number })[],
  busy: readonly string[],
): Promise<Map<string, Found>> {
  const due = Map.groupBy(await selectDue(on, lanes, busy), ({ endpoint_id }) => endpoint_id);
  const batching = lanes.flatMap(({ endpointId, epoch, share }) => {
    const first = due.get(endpointId)?.[0];
    return first === undefined || first.batch === null ? [] : [{ epoch, share, first }];
  });
  const formed = batching.length === 0 ? null : await transact((tx) => formBatches(tx, batching, busy));
  return new Map(
    [...due].map(([endpointId, all]) => {
      const [terms] = all;
      const found = formed?.get(endpointId) ?? {
        requests: terms?.batch === null ? all.map(alone) : [],
        waitMs: Number.POSITIVE_INFINITY,
      };
      return [endpointId, { ...found, terms }];
    }),
  );
}

// What can be done with partners: the rules between HTTP and SQL. Each write is one transaction that decides access again.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../agreements/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import { ignoredMembers } from '../http/ignored-members.ts';
import type { ListSource } from '../http/lists.ts';
import { newId } from '../ids.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import { emptyPartner, type Ignored, type Partner, revise } from './partner.ts';
import type { CreatePartner, UpdatePartner } from './schema.ts';
import * as store from './store.ts';

type GrantedPartner = Granted<store.PartnerRow>;

export type Partners = ReturnType<typeof createPartners>;

export function createPartners({ db }: { db: Database }) {
  /** A change of the partner that was granted: it is locked, access is decided again, and `ifMatch` is compared. */
  async function change<T>(
    granted: GrantedPartner,
    ifMatch: string | undefined,
    apply: (tx: Transaction, current: Partner, row: store.PartnerRow) => Promise<T>,
  ): Promise<T> {
    return db.transaction(async (tx) => {
      await store.lockPartner(tx, granted.row.partner_id);
      const { row } = await granted.again(tx);
      const current = store.toPartner(row);
      requireMatch(ifMatch, current);
      return apply(tx, current, row);
    });
  }

  return {
    /** The partner that the access read found: no second look is needed. */
    get: ({ row }: GrantedPartner): Partner => store.toPartner(row),

    update: (
      granted: GrantedPartner,
      changes: UpdatePartner,
      ifMatch?: string,
    ): Promise<{ partner: Partner; ignored: Ignored }> =>
      change(granted, ifMatch, async (tx, current, row) => {
        const { next, ignored } = revise(current, changes);
        if (isDeepStrictEqual(next, current)) return { partner: current, ignored };
        return { partner: store.toPartner(await store.updatePartner(tx, row.partner_id, next)), ignored };
      }),

    /** Hides the partner and all that hangs on it; an operator can restore it for 30 days. */
    delete: (granted: GrantedPartner, ifMatch?: string): Promise<void> =>
      change(granted, ifMatch, (tx, _current, row) => store.hidePartner(tx, row.partner_id)),

    create: (granted: Granted, body: CreatePartner, repeatable: Repeatable): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { principal } = await granted.again(tx);
        return answerOnce(tx, repeatable, principal.userId, async () => {
          const { next, ignored } = revise(emptyPartner, body);
          const partner = store.toPartner(await store.insertPartner(tx, newId('partner'), next));
          const headers = { location: `/partners/${partner.id}`, ...ignoredMembers(ignored) };
          return { status: 201, headers, body: partner };
        });
      }),

    /** Undoes a delete of the last 30 days; a partner that is not deleted stays as it is. */
    restore: (granted: Granted, id: string, repeatable: Repeatable, ifMatch?: string): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { principal } = await granted.again(tx);
        return answerOnce(tx, repeatable, principal.userId, async () => {
          const row = await store.lockRestorable(tx, id);
          if (!row) throw new ServiceError('not_found');
          requireMatch(ifMatch, store.toPartner(row));
          const restored = row.deleted ? await store.unhidePartner(tx, row.partner_id) : row;
          return { status: 200, headers: {}, body: store.toPartner(restored) };
        });
      }),

    /** The partners that the caller can see: so far operators see all, and everyone else none. */
    list({ principal }: Granted, filter: store.PartnerFilter): ListSource<store.PartnerSort, Partner> {
      if (principal.role !== 'operator') return { page: async () => [], count: async () => 0 };
      return {
        async page(order, after, limit) {
          const rows = await store.selectPartners(db, filter, order, after, limit);
          return rows.map(store.toPartner);
        },
        count: () => store.countPartners(db, filter),
      };
    },
  };
}

export const purgeDeletedPartners: ScheduledTask = {
  name: 'purge deleted partners',
  intervalMs: 60 * 60_000,
  run: store.purgePartners,
};

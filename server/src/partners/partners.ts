// What can be done with partners: the rules between HTTP and SQL. Each write is one transaction that decides access again.
import { isDeepStrictEqual } from 'node:util';
import type { Granted, VisiblePartners } from '../agreements/index.ts';
import { type Actor, recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import { ignoredMembers } from '../http/ignored-members.ts';
import type { ListSource } from '../http/lists.ts';
import { formatId, newId } from '../ids.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import { emptyPartner, type Ignored, type Partner, type PartnerContent, revise } from './partner.ts';
import type { CreatePartner, UpdatePartner } from './schema.ts';
import * as store from './store.ts';

type GrantedPartner = Granted<store.PartnerRow>;

export type Partners = ReturnType<typeof createPartners>;

type Options = {
  db: Database;
  visiblePartners: VisiblePartners;
  /** What else comes back with a partner. */
  onRestored: (tx: Transaction, partnerId: string) => Promise<void>;
};

export function createPartners({ db, visiblePartners, onRestored }: Options) {
  /** A change of the partner that was granted: it is locked, access is decided again, and `ifMatch` is compared. */
  async function change<T>(
    granted: GrantedPartner,
    ifMatch: string | undefined,
    apply: (tx: Transaction, current: Partner, change: Change) => Promise<T>,
  ): Promise<T> {
    return db.transaction(async (tx) => {
      const { row, actor } = await granted.lock(tx);
      const current = store.toPartner(row);
      requireMatch(ifMatch, current);
      return apply(tx, current, { row, record: (action, details) => record(tx, actor, row, action, details) });
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
      change(granted, ifMatch, async (tx, current, { row, record }) => {
        const { next, ignored } = revise(current, changes);
        if (isDeepStrictEqual(next, current)) return { partner: current, ignored };
        await record('partner.update', { members: changedMembers(current, next) });
        return { partner: store.toPartner(await store.updatePartner(tx, row.partner_id, next)), ignored };
      }),

    /** Hides the partner and all that hangs on it; an operator can restore it for 30 days. */
    delete: (granted: GrantedPartner, ifMatch?: string): Promise<void> =>
      change(granted, ifMatch, async (tx, _current, { row, record }) => {
        await store.hidePartner(tx, row.partner_id);
        await record('partner.delete');
      }),

    create: (granted: Granted, body: CreatePartner, repeatable: Repeatable): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { actor } = await granted.again(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          const { next, ignored } = revise(emptyPartner, body);
          const row = await store.insertPartner(tx, newId('partner'), next);
          const partner = store.toPartner(row);
          await record(tx, actor, row, 'partner.create');
          const headers = { location: `/partners/${partner.id}`, ...ignoredMembers(ignored) };
          return { status: 201, headers, body: partner };
        });
      }),

    /** Undoes a delete of the last 30 days; a partner that is not deleted stays as it is. */
    restore: (granted: Granted, id: string, repeatable: Repeatable, ifMatch?: string): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { actor } = await granted.again(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          const row = await store.lockRestorable(tx, id);
          if (!row) throw new ServiceError('not_found');
          requireMatch(ifMatch, store.toPartner(row));
          const restored = row.deleted ? await store.unhidePartner(tx, row.partner_id) : row;
          if (row.deleted) {
            await record(tx, actor, row, 'partner.restore');
            await onRestored(tx, row.partner_id);
          }
          return { status: 200, headers: {}, body: store.toPartner(restored) };
        });
      }),

    /** The partners that the caller can see. */
    async list(granted: Granted, filter: store.PartnerFilter): Promise<ListSource<store.PartnerSort, Partner>> {
      const among = await visiblePartners(granted);
      return {
        page: async (order, after, limit) =>
          (await store.selectPartners(db, { ...filter, among }, order, after, limit)).map(store.toPartner),
        count: () => store.countPartners(db, { ...filter, among }),
      };
    },
  };
}

type Change = { row: store.PartnerRow; record: (action: string, details?: object) => Promise<void> };

const changedMembers = (before: PartnerContent, after: PartnerContent) =>
  (Object.keys(after) as (keyof PartnerContent)[]).filter((member) => !isDeepStrictEqual(before[member], after[member]));

function record(
  tx: Transaction,
  actor: Actor,
  { partner_id }: Pick<store.PartnerRow, 'partner_id'>,
  action: string,
  details: object = {},
): Promise<void> {
  return recordAction(tx, { actor, partnerId: partner_id, action, target: formatId('partner', partner_id), details });
}

const purgedAtOnce = 10;

/** `empty`: takes away some of what a partner has most of; answers with whether nothing is left of it. */
export const createPurge = (empty: (tx: Transaction, partnerId: string) => Promise<boolean>): ScheduledTask => ({
  name: 'purge deleted partners',
  intervalMs: 60_000,
  async run(tx) {
    const actor: Actor = { userId: 'system', credential: { kind: 'task', id: 'purge deleted partners' }, requestId: '' };
    for (const partner_id of await store.lockPurgeable(tx, purgedAtOnce)) {
      if (!(await empty(tx, partner_id))) continue;
      await store.purgePartner(tx, partner_id);
      await record(tx, actor, { partner_id }, 'partner.purge');
    }
  },
});

// The operations on partners. Each write is one transaction that decides access again.
import { isDeepStrictEqual } from 'node:util';
import type { Access, Caller, Granted, ReachOf } from '../access/index.ts';
import {
  type Actor,
  type Changes,
  changesBetween,
  recordAction,
  splitChanges,
  systemActor,
} from '../audit/index.ts';
import { ServiceError } from '../base/errors.ts';
import { requireMatch } from '../base/http/entity-tag.ts';
import { ignoredMembers } from '../base/http/ignored-members.ts';
import type { ListSource } from '../base/http/lists.ts';
import { serializer } from '../base/http/serialization.ts';
import { type IdempotentRequest, ok, transactIdempotent } from '../base/idempotency/index.ts';
import { formatId } from '../base/ids.ts';
import type { Database, Transaction } from '../base/postgres/database.ts';
import type { ScheduledTask } from '../base/postgres/scheduled-tasks.ts';
import { createTotals } from '../base/postgres/sql/totals.ts';
import { personalNames } from './columns.ts';
import { blankContent, type Partner, revise } from './partner.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const toJson = serializer(wire.Partner);

type GrantedPartner = Granted<store.PartnerRow>;

export type Options = {
  db: Database;
  access: Access;
  reachOf: ReachOf;
  /** Called in the transaction that restores a partner. */
  onRestored: (tx: Transaction, partnerId: string) => Promise<void>;
};

export function createPartnerOperations({ db, reachOf, onRestored }: Options) {
  const totals = createTotals();

  /** Locks the partner, decides access again and compares `ifMatch` before `apply`. */
  const change = <T>(
    granted: GrantedPartner,
    ifMatch: string | undefined,
    apply: (tx: Transaction, granted: GrantedPartner, current: Partner) => Promise<T>,
  ) =>
    db.transaction(async (tx) => {
      const locked = await granted.lock(tx);
      const current = store.toPartner(locked.row);
      if (ifMatch !== undefined) requireMatch(ifMatch, toJson(current));
      return apply(tx, locked, current);
    });

  return {
    update: (granted: GrantedPartner, changes: wire.UpdatePartner, ifMatch?: string) =>
      change(granted, ifMatch, async (tx, { row, actor }, current) => {
        const { next, ignored } = revise(current, changes);
        if (isDeepStrictEqual(next, current)) return { partner: current, ignored };
        const changed = changesBetween(current, { ...current, ...next });
        const [{ updated_at }] = await tx.finish(() =>
          Promise.all([
            store.updatePartner(tx, row.partner_id, next),
            record(tx, actor, row, 'partner.update', changed),
          ]),
        );
        return { partner: { ...current, ...next, updated_at: updated_at.toISOString() }, ignored };
      }),

    delete: (granted: GrantedPartner, ifMatch?: string) =>
      change(granted, ifMatch, async (tx, { row, actor }, current) => {
        await store.hidePartner(tx, row.partner_id);
        await record(tx, actor, row, 'partner.delete', changesBetween(current, null));
      }),

    create: (caller: Caller, body: wire.CreatePartner, idempotent: IdempotentRequest) =>
      transactIdempotent(db, caller.recheck, idempotent, async (tx, { actor }) => {
        const { next, ignored } = revise(blankContent, body);
        const row = await store.insertPartner(tx, next);
        const partner = store.toPartner(row);
        await record(tx, actor, row, 'partner.create', changesBetween(null, partner));
        const headers = { location: `/partners/${partner.id}`, ...ignoredMembers(ignored) };
        return { status: 201, headers, json: toJson(partner) };
      }),

    /** A partner that is not deleted does not change. */
    restore: (caller: Caller, id: string, idempotent: IdempotentRequest, ifMatch?: string) =>
      transactIdempotent(db, caller.recheck, idempotent, async (tx, { actor }) => {
        const row = await store.lockRestorable(tx, id);
        if (!row) throw new ServiceError('not_found');
        requireMatch(ifMatch, toJson(store.toPartner(row)));
        if (!row.deleted) return ok(toJson(store.toPartner(row)));
        const partner = store.toPartner(await store.unhidePartner(tx, row.partner_id));
        await record(tx, actor, row, 'partner.restore', changesBetween(null, partner));
        await onRestored(tx, row.partner_id);
        return ok(toJson(partner));
      }),

    list(caller: Caller, filter: store.PartnerFilter): ListSource<store.PartnerSort, Partner> {
      // For each part of a long answer: a slow reader may lose the access meanwhile.
      const select = async () => {
        const reach = await reachOf(caller);
        const visible = reach.partners(
          { resource: 'partner', method: 'query' },
          { resource: 'partner', method: 'get' },
        );
        return { ...filter, visible };
      };
      return {
        page: async (...page) => (await store.selectPartners(db, await select(), page)).map(store.toPartner),
        count: async () => store.countPartners(totals, db, await select()),
      };
    },
  };
}

/** A partner of the service itself. Returns its bare UUID. */
export async function createOwnPartner(tx: Transaction, actor: Actor, name: string) {
  const row = await store.insertPartner(tx, { ...blankContent, name });
  await record(tx, actor, row, 'partner.create', changesBetween(null, store.toPartner(row)));
  return row.partner_id;
}

function record(
  tx: Transaction,
  actor: Actor,
  { partner_id, name }: Pick<store.PartnerRow, 'partner_id'> & { name?: string },
  action: string,
  allChanges: Changes = {},
) {
  const target = formatId('partner', partner_id);
  const { changes, personal } = splitChanges(allChanges, personalNames);
  return recordAction(tx, {
    actor,
    partnerId: partner_id,
    action,
    target,
    changes,
    targetName: name ?? null,
    ...(Object.keys(personal).length > 0 && { personal: { subject: target, changes: personal } }),
  });
}

const maxPurgedPerRun = 10;

/** Deletes a part of a partner's history. True: nothing is left. */
export type DeleteHistory = (tx: Transaction, partnerId: string) => Promise<boolean>;

export const createPurge = (deleteHistory: DeleteHistory): ScheduledTask => ({
  name: 'purge deleted partners',
  intervalMs: 60_000,
  async run(tx) {
    const actor = systemActor('purge deleted partners');
    const purgeable = await store.lockPurgeable(tx, maxPurgedPerRun);
    for (const partner_id of purgeable) {
      if (!(await deleteHistory(tx, partner_id))) continue;
      await store.purgePartner(tx, partner_id);
      await record(tx, actor, { partner_id }, 'partner.purge');
    }
    return purgeable.length > 0;
  },
});

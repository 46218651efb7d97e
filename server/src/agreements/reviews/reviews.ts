// The operations on access reviews: the policy, and what owners decide about each agreement.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../../access/index.ts';
import { type Actor, type AuditEntry, changesBetween, recordAction } from '../../audit/index.ts';
import { forbidden, invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { readInBatches } from '../../base/http/lists.ts';
import { serializer } from '../../base/http/serialization.ts';
import { type Answer, type IdempotentRequest, ok } from '../../base/idempotency/index.ts';
import { formatId, parseId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { selectPartnerNames } from '../../partners/index.ts';
import { changeLocked, changeOnce } from '../agreements.ts';
import type { Options } from '../options.ts';
import * as document from './document.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const exportBatch = 500;

const policyJson = serializer(wire.ReviewPolicy);
const itemJson = serializer(wire.ReviewItem);

type GrantedReview = Granted<store.ReviewRow>;

export function createReviews({ db }: Options) {
  /** Locks the partner and the review, which must be open. @throws ServiceError access_review_settled */
  const change = (
    granted: GrantedReview,
    key: IdempotentRequest,
    apply: (tx: Transaction, locked: GrantedReview) => Promise<Answer>,
  ) =>
    changeOnce(db, granted, key, (tx, locked) => {
      if (locked.row.closed_at !== null) throw settled('The access review is closed.');
      return apply(tx, locked);
    });

  /** About an agreement that is pending. Nothing changes if the same was decided before. */
  const decideOne = (
    granted: GrantedReview,
    id: string,
    key: IdempotentRequest,
    decision: 'confirmed' | 'ended',
    apply: (tx: Transaction, locked: GrantedReview, ids: readonly string[]) => Promise<void>,
  ) =>
    change(granted, key, async (tx, locked) => {
      const item = await requireItem(tx, locked, id);
      if (item.decision !== decision) {
        if (item.decision !== 'pending')
          throw settled(`The agreement must be pending in this review, and is ${item.decision}.`);
        const ids = [parseId('agreement', item.id) ?? ''];
        if ((await store.selectOwn(tx, locked, ids)).length > 0)
          throw forbidden('Another owner decides about your own agreement.');
        await apply(tx, locked, ids);
      }
      return ok(itemJson(await requireItem(tx, locked, id)));
    });

  return {
    confirm: (granted: GrantedReview, id: string, key: IdempotentRequest) =>
      decideOne(granted, id, key, 'confirmed', confirmSome),

    /** Agreements that are not pending, or that another owner decides about, stay as they are. */
    confirmMany: (granted: GrantedReview, ids: readonly string[], key: IdempotentRequest) =>
      change(granted, key, async (tx, locked) => {
        const uuids = ids.map((id) => parseId('agreement', id)).filter((id) => id !== null);
        const reviewId = locked.row.review_id;
        if ((await store.selectItems(tx, reviewId, uuids)).length < ids.length)
          throw invalidRequest('/agreement_ids', 'must list only agreements of the review');
        const own = await store.selectOwn(tx, locked, uuids);
        await confirmSome(
          tx,
          locked,
          uuids.filter((uuid) => !own.includes(uuid)),
        );
        const items = await store.selectItems(tx, reviewId, uuids);
        return ok(`[${items.map(itemJson).join(',')}]`);
      }),

    end: (granted: GrantedReview, id: string, key: IdempotentRequest) =>
      decideOne(granted, id, key, 'ended', async (tx, { row, actor, principal }, ids) => {
        await endAndRecord(tx, actor, row, ids);
        await store.decide(tx, row.review_id, ids, { decision: 'ended', userId: principal.userId });
        await closeIfDone(tx, actor, row);
      }),

    /** CSV. `stillAllowed` is asked before each batch. */
    async *document({ row }: GrantedReview, stillAllowed: () => Promise<void>): AsyncGenerator<string> {
      const review = await store.selectReview(db, row.review_id);
      const [name = ''] = (await selectPartnerNames(db, [row.partner_id])).values();
      yield document.header;
      for await (const items of readInBatches(store.itemsOf(db, row.review_id, {}))) {
        yield items.map((item) => document.lineOf(name, review, item)).join('');
        await stillAllowed();
      }
    },
  };
}

export const setPolicy = (
  { db }: Options,
  granted: Granted,
  body: wire.SetReviewPolicy,
  ifMatch: string | undefined,
) =>
  changeLocked(db, granted, async (tx, { partnerId, actor }) => {
    const before = await store.selectPolicy(tx, partnerId);
    requireMatch(ifMatch, policyJson(before));
    const policy = toPolicy(body, before);
    if (isDeepStrictEqual({ ...before, ...policy }, before)) return before;
    await store.upsertPolicy(tx, partnerId, policy);
    const open = policy.interval_days === null ? await store.findOpen(tx, partnerId) : undefined;
    if (open !== undefined) {
      await store.closeReview(tx, open, { force: true });
      await recordReview(tx, actor, { partnerId, reviewId: open }, 'close');
    }
    const after = await store.selectPolicy(tx, partnerId);
    await recordAction(tx, {
      actor,
      partnerId,
      action: 'partner.set_access_review_policy',
      target: formatId('partner', partnerId),
      changes: changesBetween(before, after),
    });
    return after;
  });

/** How reviews decided about a person, for the export of personal data. */
export async function* readOwnItems(on: Queryable, userId: string): AsyncGenerator<wire.OwnReviewItem[]> {
  let last: wire.OwnReviewItem | undefined;
  do {
    const items = await store.selectItemsOf(on, userId, last, exportBatch);
    if (items.length > 0) yield items;
    last = items.length < exportBatch ? undefined : items.at(-1);
  } while (last);
}

const settled = (detail: string) => new ServiceError('access_review_settled', { detail });

/** @throws ServiceError invalid_request */
function toPolicy(body: wire.SetReviewPolicy, before: wire.ReviewPolicy) {
  const { interval_days } = body;
  const most = interval_days === null ? before.warning_days : Math.floor(interval_days / 2);
  const warning_days = body.warning_days ?? Math.min(before.warning_days, most);
  if (interval_days !== null && warning_days > most)
    throw invalidRequest('/warning_days', `must be at most half of interval_days, which is ${most}`);
  return { interval_days, warning_days };
}

/** @throws ServiceError not_found */
async function requireItem(tx: Transaction, { row }: GrantedReview, id: string) {
  const uuid = parseId('agreement', id);
  const [item] = uuid === null ? [] : await store.selectItems(tx, row.review_id, [uuid]);
  if (!item) throw new ServiceError('not_found');
  return item;
}

async function confirmSome(tx: Transaction, locked: GrantedReview, ids: readonly string[]) {
  const { row, actor, principal } = locked;
  for (const each of await store.confirmItems(tx, row.review_id, ids, principal.userId))
    await recordAgreement(tx, actor, row, {
      ...each,
      action: 'agreement.confirm',
      changes: { review: { before: 'pending', after: 'confirmed' } },
    });
  await closeIfDone(tx, actor, row);
}

/** Ends the agreements that live. Returns which they were. */
export async function endAndRecord(
  tx: Transaction,
  actor: Actor,
  row: store.ReviewRow,
  ids: readonly string[],
) {
  const ended = await store.endAgreements(tx, ids);
  for (const { before, after, ...each } of ended)
    await recordAgreement(tx, actor, row, {
      ...each,
      action: 'agreement.end',
      changes: changesBetween({ expires_at: before }, { expires_at: after }),
    });
  return ended.map(({ agreement_id }) => agreement_id);
}

/** Returns whether it is closed. */
export async function closeIfDone(tx: Transaction, actor: Actor, row: store.ReviewRow) {
  const isDone = await store.closeReview(tx, row.review_id);
  const { partner_id: partnerId, review_id: reviewId } = row;
  if (isDone) await recordReview(tx, actor, { partnerId, reviewId }, 'close');
  return isDone;
}

type Logged = store.Decided & Pick<AuditEntry, 'action' | 'changes'>;

const recordAgreement = (
  tx: Transaction,
  actor: Actor,
  { partner_id: partnerId, review_id }: store.ReviewRow,
  { agreement_id, user_id: subject, name: targetName, email, email_key, action, changes = {} }: Logged,
) =>
  recordAction(tx, {
    actor,
    partnerId,
    action,
    target: formatId('agreement', agreement_id),
    details: { access_review: formatId('access_review', review_id) },
    changes,
    targetName,
    personal: { subject, email, email_key },
  });

export const recordReview = (
  tx: Transaction,
  actor: Actor,
  { partnerId, reviewId }: { partnerId: string; reviewId: string },
  verb: 'open' | 'warn' | 'close',
) => {
  const [before, after] = { open: [null, 'open'], warn: ['open', 'warned'], close: ['open', 'closed'] }[verb];
  return recordAction(tx, {
    actor,
    partnerId,
    action: `access_review.${verb}`,
    target: formatId('access_review', reviewId),
    changes: { state: { before, after } },
  });
};

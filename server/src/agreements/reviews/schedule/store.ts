// The SQL of the steps of access reviews: which is due, opening one, the warning, and what is left undecided.
import sql from 'sql-template-tag';
import { isLive } from '../../../access/index.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { columnList, hasRows, queryRow, queryValues, requireRow } from '../../../base/postgres/sql/rows.ts';
import { counting, type ReviewRow, storedNames } from '../store.ts';

/** Per partner. The oldest are deleted. */
const maxReviews = 50;

const due = sql`access_review join partner on partner.id = access_review.partner_id and partner.deleted_at is null
  where closed_at is null and step_at <= concord_now()`;
const opening = sql`access_review_policy policy join partner on partner.id = policy.partner_id and partner.deleted_at is null
  where next_at <= concord_now()
    and not exists (select from access_review where access_review.partner_id = policy.partner_id and closed_at is null)`;

export const hasWork = (on: Queryable) =>
  hasRows(on, sql`select where exists (select from ${due}) or exists (select from ${opening})`);

/** A random one, so that one that fails cannot starve the rest. Undefined: there is none. */
export const findDue = (tx: Transaction) =>
  queryRow<{ id: string; partner_id: string }>(
    tx,
    sql`select access_review.id, access_review.partner_id from ${due} order by random() limit 1`,
  );

export type DueReview = ReviewRow & { partner_name: string; late: boolean };

/** With the partner locked. Undefined: it is no longer due. `late`: it was due over a day ago. */
export const lockDue = (tx: Transaction, id: string) =>
  queryRow<DueReview>(
    tx,
    sql`
    select access_review.id as review_id, ${columnList(storedNames, 'access_review')}, partner.name as partner_name,
      step_at < concord_now() - interval '1 day' as late
    from ${due} and access_review.id = ${id} for no key update of access_review`,
  );

const warnedUntil = sql`greatest(due_at, concord_now() + warning_days * interval '1 day')`;

/** After a late warning, the days until the end start again. Returns the end. */
export const setWarned = async (tx: Transaction, id: string) =>
  requireRow(
    await tx.query<{ due_at: Date }>(sql`
    update access_review set warned_at = concord_now(), due_at = ${warnedUntil}, step_at = ${warnedUntil}
    where id = ${id} returning due_at`),
    'access review',
  ).due_at;

/** Tries the warning again in a day. */
export const postpone = (tx: Transaction, id: string) =>
  tx.write(sql`
    update access_review set warned_at = null, step_at = concord_now() + interval '1 day', due_at = greatest(due_at, concord_now() + interval '1 day')
    where id = ${id}`);

type OpeningPolicy = { partner_id: string; partner_name: string; interval_days: number };

/** Locks a policy whose review is to be opened. */
export const lockOpening = (tx: Transaction) =>
  queryRow<OpeningPolicy>(
    tx,
    sql`
    select policy.partner_id, partner.name as partner_name, policy.interval_days
    from ${opening} order by random() limit 1 for no key update of policy skip locked`,
  );

/**
 * Opens a review of the agreements that live now. Returns when they end. A user's deletion comes before, or waits.
 */
export async function insertReview(tx: Transaction, id: string, partnerId: string) {
  const rows = await tx.query<{ due_at: Date }>(sql`
    with policy as (
      update access_review_policy set next_at = concord_now() + interval_days * interval '1 day' where partner_id = ${partnerId}
      returning warning_days, warning_days * interval '1 day' as warning)
    insert into access_review (id, partner_id, warning_days, step_at, due_at)
    select ${id}, ${partnerId}, warning_days, concord_now() + warning, concord_now() + 2 * warning from policy
    returning due_at`);
  await tx.write(sql`
    insert into access_review_item (review_id, agreement_id, user_id, name, email, service_account, owner, acl_permissions, group_names)
    select ${id}, agreement.id, account.id, account.name, case when service_account.user_id is null then agreement.email end,
      service_account.user_id is not null, agreement.owner, agreement.acl_permissions, array(
        select permission_group.name from agreement_group join permission_group on permission_group.id = agreement_group.group_id
        where agreement_group.agreement_id = agreement.id order by agreement_group.position)
    from agreement join auth."user" account on account.id = agreement.user_id
      left join service_account on service_account.agreement_id = agreement.id
    where agreement.partner_id = ${partnerId} and ${isLive} order by account.id for key share of account`);
  await tx.write(sql`
    delete from access_review where partner_id = ${partnerId} and id in (
      select id from access_review where partner_id = ${partnerId} order by id desc offset ${maxReviews})`);
  return requireRow(rows, 'access review').due_at;
}

/** Undecided, even if the agreement is gone. */
export const selectUndecided = (tx: Transaction, reviewId: string, limit: number) =>
  queryValues<string>(
    tx,
    sql`select agreement_id from access_review_item where review_id = ${reviewId} and decision is null order by agreement_id limit ${limit}`,
  );

/**
 * The agreement of the last owner that counts (behaviour A7), if nothing else is decided about it: of the
 * owner who decided in this review, else the oldest. Undefined: another owner stays.
 */
export async function selectLastOwner(tx: Transaction, row: ReviewRow) {
  const owner = await queryRow<{ id: string; undecided: boolean }>(
    tx,
    sql`
    select agreement.id, item.agreement_id is not null as undecided
    from agreement join auth."user" account on account.id = agreement.user_id
      left join access_review_item item on item.review_id = ${row.review_id} and item.agreement_id = agreement.id and item.decision is null
    where agreement.partner_id = ${row.partner_id} and ${counting}
    order by undecided, exists (select from access_review_item made
      where made.review_id = ${row.review_id} and made.decided_by = account.id) desc, agreement.id limit 1`,
  );
  return owner?.undecided ? owner.id : undefined;
}

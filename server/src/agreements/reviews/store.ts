// The SQL of access reviews.
import sql, { type Sql } from 'sql-template-tag';
import { type Granted, isLive, readOf } from '../../access/index.ts';
import { type AclPermission, addedGrants, permissionName } from '../../access/permissions/index.ts';
import { formatId, parseId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { movedForward } from '../../base/postgres/sql/clock.ts';
import { listOf } from '../../base/postgres/sql/keyset.ts';
import {
  allOf,
  anyOf,
  columnList,
  hasRows,
  pick,
  queryRow,
  queryValue,
  queryValues,
  requireRow,
  withTextTimes,
} from '../../base/postgres/sql/rows.ts';
import { contains } from '../../base/postgres/sql/text.ts';
import { notBanned } from '../../people/index.ts';
import type { Decision, OwnReviewItem, Review, ReviewItem, ReviewPolicy } from './schema.ts';

const defaultWarningDays = 14;

type PolicyRow = Omit<ReviewPolicy, 'next_review_at'> & { next_at: Date | null };

export async function selectPolicy(on: Queryable, partnerId: string): Promise<ReviewPolicy> {
  const row = await queryRow<PolicyRow>(
    on,
    sql`select interval_days, warning_days, next_at from access_review_policy where partner_id = ${partnerId}`,
  );
  return {
    interval_days: row?.interval_days ?? null,
    warning_days: row?.warning_days ?? defaultWarningDays,
    next_review_at: row?.next_at?.toISOString() ?? null,
  };
}

/** The first review opens at once. Turning reviews off and on again opens none earlier. */
export async function upsertPolicy(
  tx: Transaction,
  partnerId: string,
  { interval_days: days, warning_days }: Omit<ReviewPolicy, 'next_review_at'>,
) {
  // First, so that the next statement sees a review that is being opened.
  await tx.write(sql`select from access_review_policy where partner_id = ${partnerId} for no key update`);
  await tx.write(sql`
    insert into access_review_policy (partner_id, interval_days, warning_days, next_at)
    select ${partnerId}, ${days}::int, ${warning_days}, case when ${days}::int is not null then
      greatest(concord_now(), max(opened_at) + ${days}::int * interval '1 day') end
    from access_review where partner_id = ${partnerId}
    on conflict (partner_id) do update set
      interval_days = excluded.interval_days, warning_days = excluded.warning_days, next_at = excluded.next_at`);
}

export type ReviewRow = {
  review_id: string;
  partner_id: string;
  warning_days: number;
  opened_at: Date;
  warned_at: Date | null;
  due_at: Date;
  closed_at: Date | null;
};

export const storedNames = [
  'partner_id',
  'warning_days',
  'opened_at',
  'warned_at',
  'due_at',
  'closed_at',
] as const satisfies readonly (keyof ReviewRow)[];

export const reviewRead = readOf<ReviewRow>(
  'access_review',
  sql`item.id as review_id, ${columnList(storedNames, 'item')}`,
  { parameter: 'review_id', lock: 'no key update' },
);

/** Items join their agreement, which may be gone. */
const items = sql`access_review_item item join access_review on access_review.id = item.review_id
  left join agreement on agreement.id = item.agreement_id`;
const itemsWithDecider = sql`${items} left join auth."user" decider on decider.id = item.decided_by`;
const isThere = sql`agreement.id is not null and ${isLive}`;
const decision = sql`case when item.decision is not null then item.decision when access_review.closed_at is not null then 'undecided'
  when ${isThere} then 'pending' else 'gone' end`;

const countsOf = (review: Sql) => sql`(
  select coalesce(jsonb_object_agg(decision, count), '{}') from (
    select ${decision} as decision, count(*)::int as count from ${items} where item.review_id = ${review} group by 1) counted)`;

type CountedRow = ReviewRow & { counts: Partial<Record<Decision, number>> };
const countedColumns = sql`reviewed.id as review_id, ${columnList(storedNames, 'reviewed')},
  coalesce(reviewed.counts, ${countsOf(sql`reviewed.id`)}) as counts`;

export async function selectReview(on: Queryable, id: string): Promise<Review> {
  const rows = await on.query<CountedRow>(
    sql`select ${countedColumns} from access_review reviewed where reviewed.id = ${id}`,
  );
  return toReview(requireRow(rows, 'access review'));
}

const none = { pending: 0, confirmed: 0, ended: 0, lapsed: 0, kept: 0, gone: 0, undecided: 0 };

function toReview({ counts, ...row }: CountedRow): Review {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    id: formatId('access_review', row.review_id),
    state: row.closed_at === null ? 'open' : 'closed',
    ...withTextTimes(pick(row, ['opened_at', 'warned_at', 'due_at', 'closed_at'])),
    agreements: { total, ...none, ...counts },
  };
}

export const reviewsOf = (on: Queryable, partnerId: string) =>
  listOf(on, 'access_review', {
    columns: countedColumns,
    from: sql`access_review reviewed where reviewed.partner_id = ${partnerId}`,
    sorted: { id: sql`reviewed.id` },
    toItem: toReview,
  });

type ItemRow = Omit<ReviewItem, 'id' | 'permissions' | 'decided_at'> & {
  agreement_id: string;
  acl_permissions: AclPermission[];
  decided_at: Date | null;
};

const toItem = ({ agreement_id, acl_permissions, decided_at, ...row }: ItemRow): ReviewItem => ({
  ...row,
  id: formatId('agreement', agreement_id),
  permissions: addedGrants([], acl_permissions).map(permissionName),
  decided_at: decided_at?.toISOString() ?? null,
});

type ItemFilter = { decision?: string | undefined; email?: string | undefined };

const itemColumns = sql`item.agreement_id, item.name, item.email, item.service_account, item.owner, item.acl_permissions, item.group_names,
  ${decision} as decision, item.decided_at, decider.name as decided_by, decider.email as decided_by_email`;

export const itemsOf = (on: Queryable, reviewId: string, { decision: wanted, email }: ItemFilter) =>
  listOf(on, 'agreement', {
    columns: itemColumns,
    from: sql`${itemsWithDecider} where ${allOf(
      sql`item.review_id = ${reviewId}`,
      wanted !== undefined && sql`${decision} = ${wanted}`,
      email !== undefined && sql`item.email ilike ${contains(email)}`,
    )}`,
    sorted: { id: sql`item.agreement_id` },
    toItem,
  });

/** In the order of the ids. */
export async function selectItems(on: Queryable, reviewId: string, agreementIds: readonly string[]) {
  const rows = await on.query<ItemRow>(sql`
    select ${itemColumns} from ${itemsWithDecider}
    where item.review_id = ${reviewId} and item.agreement_id = ${anyOf(agreementIds)} order by item.agreement_id`);
  return rows.map(toItem);
}

/** Agreements whose fate is decided, for the log. */
export type Decided = {
  agreement_id: string;
  user_id: string;
  name: string;
  email: string;
  email_key: string;
};
const decidedColumns = sql`agreement.id as agreement_id, agreement.user_id, account.name, agreement.email, agreement.email_key`;

/** Confirms those of the agreements that are pending. The caller has locked the partner and the review. */
export const confirmItems = (
  tx: Transaction,
  reviewId: string,
  agreementIds: readonly string[],
  userId: string,
) =>
  tx.query<Decided>(sql`
    update access_review_item item set decision = 'confirmed', decided_at = concord_now(), decided_by = ${userId}
    from agreement join auth."user" account on account.id = agreement.user_id
    where item.review_id = ${reviewId} and item.agreement_id = ${anyOf(agreementIds)} and item.decision is null
      and agreement.id = item.agreement_id and ${isLive}
    returning ${decidedColumns}`);

/** An owner who counts as one (behaviour A7). */
export const counting = sql`agreement.owner and agreement.expires_at is null and ${notBanned}`;

/** Those of the agreements that are the user's own, if another owner could decide about them. */
export const selectOwn = (
  tx: Transaction,
  { partnerId, principal: { userId } }: Pick<Granted, 'partnerId' | 'principal'>,
  agreementIds: readonly string[],
) =>
  queryValues<string>(
    tx,
    sql`select own.id from agreement own where own.id = ${anyOf(agreementIds)} and own.user_id = ${userId} and exists (
      select from agreement join auth."user" account on account.id = agreement.user_id
      where agreement.partner_id = ${partnerId} and ${counting} and agreement.user_id <> ${userId})`,
  );

/**
 * Ends the live agreements now. They are no longer those of a connection, so a sign-in does not make their users new
 * members again. The caller has locked the partner.
 */
export async function endAgreements(tx: Transaction, agreementIds: readonly string[]) {
  const rows = await tx.query<Decided & { before: Date | null; after: Date }>(sql`
    with old as (
      select agreement.id, agreement.expires_at as before from agreement
      where agreement.id = ${anyOf(agreementIds)} and ${isLive} for no key update)
    update agreement set expires_at = concord_now(), connection_id = null, updated_at = ${movedForward(sql`agreement.updated_at`)}
    from old, auth."user" account
    where agreement.id = old.id and account.id = agreement.user_id returning ${decidedColumns}, old.before, agreement.expires_at as after`);
  return rows.map(({ before, after, ...row }) => ({
    ...row,
    before: before?.toISOString() ?? null,
    after: after.toISOString(),
  }));
}

/** `userId` null: the review itself. */
export const decide = (
  tx: Transaction,
  reviewId: string,
  agreementIds: readonly string[],
  { decision: decided, userId }: { decision: 'ended' | 'lapsed' | 'kept' | 'gone'; userId: string | null },
) =>
  tx.write(sql`
    update access_review_item set decision = ${decided}, decided_at = concord_now(), decided_by = ${userId}
    where review_id = ${reviewId} and agreement_id = ${anyOf(agreementIds)} and decision is null`);

/** Closes the review, unless an agreement is still pending. `force`: even so. */
export async function closeReview(tx: Transaction, reviewId: string, { force = false } = {}) {
  const undecided = sql`select from ${items} where item.review_id = ${reviewId} and item.decision is null`;
  if (!force && (await hasRows(tx, sql`${undecided} and ${isThere} limit 1`))) return false;
  await tx.write(sql`
    update access_review_item gone set decision = 'gone', decided_at = concord_now() where review_id = ${reviewId} and decision is null
      and not exists (${undecided} and item.agreement_id = gone.agreement_id and ${isThere})`);
  await tx.write(sql`update access_review set closed_at = concord_now() where id = ${reviewId}`);
  await tx.write(sql`update access_review set counts = ${countsOf(sql`${reviewId}`)} where id = ${reviewId}`);
  return true;
}

export const findOpen = (tx: Transaction, partnerId: string) =>
  queryValue<string>(
    tx,
    sql`select id from access_review where partner_id = ${partnerId} and closed_at is null`,
  );

export const eraseItems = (tx: Transaction, userId: string) =>
  tx.write(sql`update access_review_item set name = null, email = null where user_id = ${userId}`);

type OwnItemRow = Pick<ItemRow, 'agreement_id' | 'name' | 'email' | 'decision' | 'decided_at'> & {
  review_id: string;
  partner_id: string;
};

/** Selects items of one person, after the ids of `after`. */
export async function selectItemsOf(
  on: Queryable,
  userId: string,
  after: OwnReviewItem | undefined,
  limit: number,
): Promise<OwnReviewItem[]> {
  const from = after
    ? sql`and (item.review_id, item.agreement_id) > (${parseId('access_review', after.review_id)}, ${parseId('agreement', after.id)})`
    : sql``;
  const rows = await on.query<OwnItemRow>(sql`
    select item.review_id, access_review.partner_id, item.agreement_id, item.name, item.email, ${decision} as decision, item.decided_at
    from ${items} where item.user_id = ${userId} ${from} order by item.review_id, item.agreement_id limit ${limit}`);
  return rows.map(({ agreement_id, review_id, partner_id, decided_at, ...row }) => ({
    ...row,
    id: formatId('agreement', agreement_id),
    review_id: formatId('access_review', review_id),
    partner_id: formatId('partner', partner_id),
    decided_at: decided_at?.toISOString() ?? null,
  }));
}

// The SQL of access requests.
import sql, { type Sql } from 'sql-template-tag';
import type { Read } from '../../access/index.ts';
import { formatId, newUuid } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { deleteSome } from '../../base/postgres/sql/deletion.ts';
import { listOf } from '../../base/postgres/sql/keyset.ts';
import {
  allOf,
  anyOf,
  columnList,
  pick,
  requireRow,
  type WithDates,
  withTextTimes,
} from '../../base/postgres/sql/rows.ts';
import type { AccessRequest, CreateAccessRequest, RequestState } from './schema.ts';

/** A request with what its mails and its approval need. */
export type RequestRow = Omit<
  WithDates<AccessRequest, 'created_at' | 'lapses_at' | 'settled_at' | 'ends_at'>,
  'id'
> & {
  item_id: string;
  partner_id: string;
  partner_name: string;
  /** Who asks. `email`: the address of the agreement, `user_email`: that of the account. */
  user_id: string;
  user_email: string;
  mfa_required: boolean;
  agreement_ends_at: Date | null;
};

/** The state at this moment. */
const state = sql`case
  when access_request.state = 'pending' and (lapses_at <= concord_now() or agreement.expires_at <= concord_now()) then 'lapsed'
  when access_request.state = 'approved' and ends_at <= concord_now() then 'ended'
  else access_request.state end`;

const storedNames = [
  'partner_id',
  'agreement_id',
  'user_id',
  'permissions',
  'duration_seconds',
  'reason',
  'created_at',
  'lapses_at',
  'settled_at',
  'note',
  'ends_at',
] as const satisfies readonly (keyof RequestRow)[];
const columns = sql`access_request.id as item_id, ${columnList(storedNames, 'access_request')}, ${state} as state,
  (select name from partner where partner.id = access_request.partner_id) as partner_name,
  account.name, agreement.email, account.email as user_email, agreement.mfa_required, agreement.expires_at as agreement_ends_at,
  (select name from auth."user" where id = access_request.decided_by) as decided_by`;
/** A left join, so that counting leaves it out. */
const from = sql`access_request join agreement on agreement.id = access_request.agreement_id
  left join auth."user" account on account.id = access_request.user_id`;

export const requestRead: Read<RequestRow> = {
  name: 'access request',
  columns: sql`item.*`,
  item: {
    kind: 'access_request',
    parameter: 'access_request_id',
    join: (id) => sql`left join lateral (
      select access_request.id, ${columns} from ${from} where access_request.id = ${id} and access_request.partner_id = partner.id) item on true`,
    // Also locks the agreement, so that no change that commits later has used the access that ends.
    lock: (id) => sql`
      select from access_request join agreement on agreement.id = agreement_id
      where access_request.id = ${id} for no key update`,
    own: sql`item.agreement_id = mine.membership_id`,
  },
};

export const toRequest = (row: RequestRow): AccessRequest => ({
  id: formatId('access_request', row.item_id),
  agreement_id: formatId('agreement', row.agreement_id),
  ...withTextTimes(
    pick(row, [
      'name',
      'email',
      'permissions',
      'duration_seconds',
      'reason',
      'state',
      'created_at',
      'lapses_at',
      'settled_at',
      'decided_by',
      'note',
      'ends_at',
    ]),
  ),
});

/** A request that the caller has locked or just written. */
export const selectRequest = async (on: Queryable, id: string) =>
  requireRow(
    await on.query<RequestRow>(sql`select ${columns} from ${from} where access_request.id = ${id}`),
    'access request',
  );

/** The agreement's requests that are pending, or at most a day old. */
export const selectRecent = (on: Queryable, agreementId: string) =>
  on.query<{ id: string; permissions: string[]; is_pending: boolean; is_new: boolean }>(sql`
    select id, permissions, state = 'pending' and lapses_at > concord_now() as is_pending,
      created_at > concord_now() - interval '1 day' as is_new
    from access_request
    where agreement_id = ${agreementId} and (state = 'pending' or created_at > concord_now() - interval '1 day')`);

type NewRequest = CreateAccessRequest & { partnerId: string; agreementId: string; userId: string };

export async function insertRequest(
  tx: Transaction,
  { partnerId, agreementId, userId, permissions, duration_seconds, reason }: NewRequest,
) {
  const id = newUuid();
  await tx.write(sql`
    insert into access_request (id, partner_id, agreement_id, user_id, permissions, duration_seconds, reason)
    values (${id}, ${partnerId}, ${agreementId}, ${userId}, ${permissions}, ${duration_seconds}, ${reason})`);
  return selectRequest(tx, id);
}

/** The access read looks for what requests give until `granted_until`. */
export const approve = (tx: Transaction, id: string, decidedBy: string, endsAt: Date) =>
  tx.write(sql`
    with approved as (
      update access_request set state = 'approved', settled_at = concord_now(), decided_by = ${decidedBy}, ends_at = ${endsAt}
      where id = ${id} returning agreement_id, ends_at)
    update agreement set granted_until = greatest(granted_until, approved.ends_at) from approved
    where agreement.id = approved.agreement_id`);

/** `decidedBy` null: the person who asked. */
export const settle = (
  tx: Transaction,
  id: string,
  {
    state,
    decidedBy = null,
    note = null,
  }: { state: RequestState; decidedBy?: string | null; note?: string | null },
) =>
  tx.write(sql`
    update access_request set state = ${state}, settled_at = concord_now(), decided_by = ${decidedBy}, note = ${note} where id = ${id}`);

export const endAccess = (tx: Transaction, id: string) =>
  tx.write(sql`update access_request set ends_at = concord_now() where id = ${id}`);

/**
 * Marks requests that nobody answered in time. Those that are being answered are left for the next run, those of a
 * hidden partner until it is restored.
 */
export async function lapse(tx: Transaction, limit: number) {
  const rows = await tx.query<{ id: string }>(sql`
    update access_request set state = 'lapsed', settled_at = concord_now() where id in (
      select access_request.id from access_request join partner on partner.id = partner_id and partner.deleted_at is null
      where state = 'pending' and lapses_at <= concord_now()
      order by lapses_at limit ${limit} for no key update of access_request skip locked)
    returning id`);
  const ids = rows.map(({ id }) => id);
  return tx.query<RequestRow>(sql`select ${columns} from ${from} where access_request.id = ${anyOf(ids)}`);
}

/** Deletes requests that were settled, and gave their last access, over 90 days ago. True: there may be more. */
export const deleteOld = (tx: Transaction) =>
  deleteSome(tx, [
    sql`from access_request`,
    sql`state <> 'pending' and settled_at < concord_now() - interval '90 days'
      and (ends_at is null or ends_at < concord_now() - interval '90 days')`,
  ]);

/**
 * Of a person who is being deleted: what they wrote about the requests of others. Their own go with their agreements.
 */
export const eraseDecisions = (tx: Transaction, userId: string) =>
  tx.write(sql`update access_request set decided_by = null, note = null where decided_by = ${userId}`);

/** `agreementId` null: matches nothing, since the id of the filter is invalid. */
type RequestFilter = {
  partnerId?: string;
  agreementId?: string | null;
  userId?: string;
  state?: string | undefined;
};

const hasEnded = sql`ends_at <= concord_now()`;
const hasLapsed = sql`(lapses_at <= concord_now() or agreement.expires_at <= concord_now())`;
const isStored = (stored: string) => sql`access_request.state = ${stored}`;
/** The same states as `state`, in terms that an index and the planner know. */
const inState: Readonly<Record<RequestState, Sql>> = {
  pending: sql`${isStored('pending')} and ${hasLapsed} is not true`,
  lapsed: sql`access_request.state in ('pending', 'lapsed') and (${isStored('lapsed')} or ${hasLapsed})`,
  approved: sql`${isStored('approved')} and ${hasEnded} is not true`,
  ended: sql`${isStored('approved')} and ${hasEnded}`,
  denied: isStored('denied'),
  withdrawn: isStored('withdrawn'),
};

export const requestsOf = (on: Queryable, { partnerId, agreementId, userId, state: wanted }: RequestFilter) =>
  listOf(on, 'access_request', {
    columns,
    from: sql`${from} where ${allOf(
      partnerId !== undefined && sql`access_request.partner_id = ${partnerId}`,
      agreementId !== undefined && sql`access_request.agreement_id = ${agreementId}`,
      userId !== undefined &&
        sql`access_request.agreement_id in (select id from agreement where user_id = ${userId})`,
      wanted !== undefined && inState[wanted as RequestState],
    )}`,
    sorted: { id: sql`access_request.id`, created_at: sql`access_request.created_at` },
    toItem: toRequest,
  });

// The SQL of what provisioning does to agreements: their groups, their end, and what reached the partner.
import sql, { type Sql } from 'sql-template-tag';
import { isLive } from '../../../../access/index.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { movedForward } from '../../../../base/postgres/sql/clock.ts';
import { anyOf, queryValues } from '../../../../base/postgres/sql/rows.ts';

/** The permission groups of the user's groups, as bare UUIDs. */
export const selectMappedGroups = (on: Queryable, userId: string | null) =>
  queryValues<string>(
    on,
    sql`select distinct mapped.group_id from provisioned_member member
      join provisioned_group mapped on mapped.id = member.provisioned_group_id
      where member.provisioned_user_id = ${userId}::uuid and mapped.group_id is not null`,
  );

/** What provisioning may change: agreements that the connection made, unless an owner has made them an owner's. */
const isMade = (connectionId: string) =>
  sql`agreement.connection_id = ${connectionId} and not agreement.owner`;

/** Users whose groups changed. */
const ofUsers = (connectionId: string, userIds: readonly string[]) => sql`
  select person.id as user_id, agreement.id as agreement_id, agreement.partner_id, agreement.expires_at
  from provisioned_user person join agreement on agreement.id = person.agreement_id
  where person.id = ${anyOf(userIds)} and ${isMade(connectionId)}
    and ${isLive}`;

/** When the last of the agreements of these users ends. Null: never. Undefined: there is none. */
export async function selectLatestEnd(on: Queryable, connectionId: string, userIds: readonly string[]) {
  const ends = await queryValues<Date | null>(
    on,
    sql`select expires_at from (${ofUsers(connectionId, userIds)}) changed order by expires_at desc nulls first limit 1`,
  );
  return ends[0];
}

type Changed = { agreementId: string; before: string[]; after: string[] };
/** Permission groups: `given` are mapped to a group of the directory now, `taken` were before. */
export type Settled = { given: readonly string[]; taken: readonly string[] };

/**
 * Gives each user's agreement the groups of `given` that are mapped to a group of the user, and takes those of
 * `taken` that are not. Groups of the terms of new members stay. An agreement has at most 50 groups. Returns the
 * agreements that changed.
 */
export async function settleGroups(
  tx: Transaction,
  connectionId: string,
  userIds: readonly string[],
  { given, taken }: Settled,
) {
  const isMapped = (groupId: Sql) => sql`exists (
    select from provisioned_member member join provisioned_group mapped on mapped.id = member.provisioned_group_id
    where member.provisioned_user_id = changed.user_id and mapped.group_id = ${groupId})`;
  const changed = await tx.query<Changed>(sql`
    with changed as (${ofUsers(connectionId, userIds)}),
    taken as (
      select unnest(${[...taken]}::uuid[]) as group_id
      except select group_id from identity_connection_group where connection_id = ${connectionId}),
    lists as (
      select agreement_id, held.groups as before,
        (array(select group_id from unnest(held.groups) with ordinality as listed (group_id, position)
            where group_id not in (select group_id from taken) or ${isMapped(sql`listed.group_id`)} order by position)
          || array(select group_id from unnest(${[...given]}::uuid[]) as more (group_id)
            where group_id <> all(held.groups) and ${isMapped(sql`more.group_id`)}))[1:50] as after
      from changed cross join lateral (select array(
        select group_id from agreement_group where agreement_group.agreement_id = changed.agreement_id order by position) as groups) held)
    select agreement_id as "agreementId", before, after from lists where before <> after`);
  const ids = changed.map(({ agreementId }) => agreementId);
  // The deletion of an account also locks them before their groups.
  await tx.query(sql`update agreement set updated_at = ${movedForward()} where id = any(${ids}::uuid[])`);
  await tx.query(sql`delete from agreement_group where agreement_id = any(${ids}::uuid[])`);
  await tx.query(sql`
    insert into agreement_group (agreement_id, partner_id, group_id, account_id, position)
    select agreement.id, agreement.partner_id, permission_group.id, permission_group.account_id, position
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as given ("agreementId" uuid, after uuid[])
    join agreement on agreement.id = given."agreementId"
    cross join unnest(given.after) with ordinality as listed (group_id, position)
    join permission_group on permission_group.id = listed.group_id
    for key share of agreement`);
  return changed;
}

export const endAgreement = (tx: Transaction, id: string) =>
  tx.write(
    sql`update agreement set expires_at = concord_now(), updated_at = ${movedForward()} where id = ${id}`,
  );

/** What sessions of the user have proved for the partner, also what waits for a second factor, and their break glass. */
export async function deleteProofs(tx: Transaction, partnerId: string, userId: string) {
  const ofUser = sql`partner_id = ${partnerId} and session_id in (select id from auth.session where user_id = ${userId})`;
  await tx.query(sql`delete from identity_claim where partner_id = ${partnerId} and user_id = ${userId}`);
  await tx.query(sql`
    with glass as (delete from break_glass where ${ofUser}) delete from session_proof where ${ofUser}`);
}

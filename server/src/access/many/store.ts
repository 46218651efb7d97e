// The SQL of access of many: people, partners and live agreements, for many pairs in one statement.
import sql from 'sql-template-tag';
import type { Queryable } from '../../base/postgres/database.ts';
import type { AclPermission, Principal } from '../permissions/index.ts';
import {
  everyProof,
  groupIds,
  isLive,
  type MembershipRow,
  membershipColumns,
  proofOf,
  toMembership,
} from '../store.ts';

/**
 * A person, by id or by the key of their e-mail address, and a partner, as a bare UUID. Null names nothing
 * that exists.
 */
export type Pair = {
  readonly userId: string | null;
  readonly email: string | null;
  readonly partnerId: string | null;
};

type Row = Omit<MembershipRow, 'membership_groups'> & {
  membership_groups: string[] | null;
  /** In the first row: each group once, because a hundred questions can be about the same fifty. */
  all_groups: Record<string, AclPermission[]> | null;
  person_id: string | null;
  person_is_operator: boolean;
  person_has_second_factor: boolean;
  person_banned: boolean;
  partner_id: string | null;
};

/**
 * For each question, in their order: the rows of the asker and of the subject, with the partner of the
 * question.
 */
export async function selectPairs(
  on: Queryable,
  { userId: askerId, credential }: Principal,
  questions: readonly Pair[],
) {
  const pairs = questions.flatMap((question) => [
    { userId: askerId, email: null, partnerId: question.partnerId },
    question,
  ]);
  const rows = await on.query<Row>(
    sql`
      with asked as materialized (
      select pair.position, person.id as person_id, person.role is not distinct from 'operator' as person_is_operator,
        person.two_factor_enabled is true as person_has_second_factor,
        person.banned is true and (person.ban_expires is null or person.ban_expires > concord_now()) as person_banned,
        partner.id as partner_id, theirs.*
      from unnest(${pairs.map(({ userId }) => userId)}::text[], ${pairs.map(({ email }) => email)}::text[],
        ${pairs.map(({ partnerId }) => partnerId)}::uuid[]) with ordinality as pair (user_id, email, partner_id, position)
      left join auth."user" person
        on person.id = coalesce(pair.user_id, (select id from auth."user" where email = pair.email))
      left join partner on partner.id = pair.partner_id and partner.deleted_at is null
      left join lateral (
        select ${membershipColumns(sql`case when pair.position % 2 = 1 then ${proofOf(credential)} else ${everyProof} end`, groupIds)} from agreement
        where agreement.partner_id = partner.id and agreement.user_id = person.id and ${isLive}
        limit 1
      ) theirs on true)
      select asked.*, case when position = 1 then (
        select jsonb_object_agg(id, acl_permissions) from permission_group
        where id in (select unnest(membership_groups) from asked)) end as all_groups
      from asked order by position`,
    `access of many, ${credential.kind}`,
  );
  const groups = rows[0]?.all_groups ?? {};
  const read = rows.map((row) =>
    toPairRow({
      ...row,
      membership_groups:
        row.membership_groups?.map((id) => ({ id, aclPermissions: groups[id] ?? [] })) ?? null,
    }),
  );
  return questions.map((_, index) => [read[2 * index], read[2 * index + 1]]);
}

/** `person` null: there is no such user. `partnerId` null: there is no such partner, or it is deleted. */
export type PairRow = ReturnType<typeof toPairRow>;

function toPairRow(row: Omit<Row, 'membership_groups'> & MembershipRow) {
  const {
    person_id: userId,
    person_is_operator: isOperator,
    person_has_second_factor: hasSecondFactor,
  } = row;
  return {
    person: userId === null ? null : { userId, isOperator, hasSecondFactor, banned: row.person_banned },
    partnerId: row.partner_id,
    membership: toMembership(row),
  };
}

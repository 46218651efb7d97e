// The SQL of reading the audit log.
import sql, { join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../base/postgres/database.ts';
import { allOf } from '../../base/postgres/sql/rows.ts';
import type { Actor } from '../actor.ts';
import type { AuditEntry } from '../store.ts';

export type AuditFilter = {
  /** Bare UUID. Undefined: every partner, and none. */
  partnerId?: string | undefined;
  position?: string | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** The log keeps the address of that moment. */
  actorEmail?: string | undefined;
  targetEmail?: string | undefined;
  outcome?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** The addresses of operators are neither shown nor found. */
  hidesOperators?: boolean;
};

export type AuditRow = {
  /** A bigint. */
  position: string;
  at: Date;
  request_id: string;
  actor_kind: Actor['kind'];
  actor_id: string;
  credential: string;
  /** Bare UUID. */
  partner_id: string | null;
  action: string;
  target: string | null;
  outcome: NonNullable<AuditEntry['outcome']>;
  details: object;
  changes: object;
  /** The actor's. */
  address: string | null;
  name: string | null;
  email: string | null;
  /** The target's. */
  personal: { name?: string; email?: string; changes?: object } | null;
  erased: boolean;
};

/** A task may still have to delete values of an erased subject. */
const isKept = (values: Sql) =>
  sql`not exists (select from audit_erasure where audit_erasure.subject = ${values}.subject)`;

const actorColumns = sql`address.personal ->> 'address' as address, address.personal ->> 'name' as name, address.personal ->> 'email' as email`;

/** `after`: a position. */
export function selectAuditRows(
  on: Queryable,
  filter: AuditFilter,
  { after, descending, limit }: { after: string | null; descending: boolean; limit: number },
): Promise<AuditRow[]> {
  const [comparison, way] = descending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const beyond = after !== null && sql`audit_log.position ${comparison} ${after}`;
  return on.query<AuditRow>(sql`
    select found.*, ${actorColumns}, person.personal,
      address_commitment is not null and address.position is null
        or person_commitment is not null and person.position is null as erased
    from (select audit_log.* from audit_log ${people(filter)} where ${matches(filter, beyond)} order by ${leadingFirst(filter, way)} audit_log.position ${way} limit ${limit}) found
    left join audit_person address on address.position = found.position and address.part = 'address' and ${isKept(sql`address`)}
    left join audit_person person on person.position = found.position and person.part = 'person' and ${isKept(sql`person`)}
    order by found.position ${way}`);
}

/** `of_another`: the row is about an agreement that another user accepted. */
export type RowAbout = AuditRow & { of_another: boolean };

/** Rows by a user, or about these subjects. Values about anyone else are left out. */
export function selectRowsAbout(
  on: Queryable,
  { userId, subjects }: { userId: string; subjects: readonly string[] },
  { after, limit }: { after: string; limit: number },
): Promise<RowAbout[]> {
  const page = sql`order by position limit ${limit}`;
  return on.query<RowAbout>(sql`
    with found as (
      (select position from audit_log where actor_id = ${userId} and position > ${after} ${page})
      union (select position from audit_log where target = ${userId} and position > ${after} ${page})
      union (${join(
        subjects.map(
          (subject) =>
            sql`(select position from audit_person where subject = ${subject} and position > ${after} and ${isKept(sql`audit_person`)} ${page})`,
        ),
        ' union ',
      )})
      ${page}),
    -- Once for each agreement, since it can have many rows.
    of_another as materialized (
      select distinct target from audit_log
      where action = 'agreement.accept' and actor_id <> ${userId}
        and target = any (array(select distinct target from found join audit_log using (position) where target is not null)))
    select audit_log.*, ${actorColumns}, person.personal, false as erased,
      exists (select from of_another where of_another.target = audit_log.target) as of_another
    from found join audit_log using (position)
    left join audit_person address on address.position = found.position and address.part = 'address' and address.subject = any (${subjects}) and ${isKept(sql`address`)}
    left join audit_person person on person.position = found.position and person.part = 'person' and person.subject = any (${subjects}) and ${isKept(sql`person`)}
    order by found.position`);
}

const matches = (filter: AuditFilter, beyond: Sql | false): Sql => {
  const { partnerId, position, actorId, action, target, actorEmail, outcome, from, to, hidesOperators } =
    filter;
  return allOf(
    sql`true`,
    position !== undefined && sql`audit_log.position = ${position}`,
    // Not equal, which PostgreSQL would take out of the order.
    partnerId !== undefined && sql`audit_log.partner_id = any(array[${partnerId}::uuid])`,
    actorId !== undefined && sql`actor_id = any(array[${actorId}])`,
    action !== undefined && sql`action = ${action}`,
    target !== undefined && sql`target = any(array[${target}])`,
    actorEmail !== undefined && hidesOperators === true && sql`actor_kind <> 'operator'`,
    outcome !== undefined && sql`outcome = ${outcome}`,
    from !== undefined && sql`at >= ${from}`,
    to !== undefined && sql`at < ${to}`,
    beyond,
  );
};

/**
 * The order of an index of what the filter names. In the order of all records, the planner reads those of all partners
 * until it has enough, which can be never.
 */
const leadingFirst = (
  { partnerId, actorId, target, targetEmail, actorEmail }: AuditFilter,
  way: Sql,
): Sql => {
  const byPartner = (table: Sql) => (partnerId === undefined ? sql`` : sql`${table}.partner_id ${way},`);
  if (targetEmail !== undefined) return byPartner(sql`targeted`);
  if (actorEmail !== undefined) return byPartner(sql`acting`);
  const partnerFirst = byPartner(sql`audit_log`);
  if (target !== undefined) return sql`${partnerFirst} target ${way},`;
  return actorId === undefined ? partnerFirst : sql`${partnerFirst} actor_id ${way},`;
};

/** Joins, so that the planner can read their rows in the order of the list. */
const people = ({ partnerId, targetEmail, actorEmail }: AuditFilter): Sql => sql`
  ${targetEmail === undefined ? sql`` : withEmail(sql`targeted`, 'person', targetEmail, partnerId)}
  ${actorEmail === undefined ? sql`` : withEmail(sql`acting`, 'address', actorEmail, partnerId)}`;

/** The expression is that of the indexes `audit_person_email` and `audit_person_partner_email`. */
const withEmail = (
  values: Sql,
  part: 'address' | 'person',
  key: string,
  partnerId: string | undefined,
) => sql`
  join audit_person ${values} on ${values}.position = audit_log.position and ${values}.part = ${part} and ${values}.personal ? 'email' and
    coalesce(${values}.personal ->> 'email_key', case when ${values}.subject like '%@%' then ${values}.subject else ${values}.personal ->> 'email' end) = ${key}
    ${partnerId === undefined ? sql`` : sql`and ${values}.partner_id = any(array[${partnerId}::uuid])`}
    and ${isKept(values)}`;

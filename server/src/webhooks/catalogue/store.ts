// The SQL of event types, and of the deprecations that partners must be told of (W74). A private type does not exist
// for a viewer who may not see it (behaviour W73).
import sql, { type Sql } from 'sql-template-tag';
import type { Static } from 'typebox';
import { formatId, parseId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { movedForward } from '../../base/postgres/sql/clock.ts';
import {
  anyOf,
  hasRows,
  queryRow,
  queryValues,
  requireRow,
  selectCount,
} from '../../base/postgres/sql/rows.ts';
import { checkpointType } from './checkpoint-type.ts';
import type { StoredSchema } from './data-checks.ts';
import type * as wire from './schema.ts';

export type EventType = Static<typeof wire.EventType>;
/** What events of the type are. */
export type Described = Pick<EventType, 'name' | 'description' | 'schema' | 'example'>;
/** What an operator sets. */
export type Content = Omit<EventType, 'archived_at'> & { archived: boolean };

/** The partners whose private types are seen, as bare UUIDs. Null: every type is seen. */
export type Viewer = readonly string[] | null;

export const seenBy = (viewer: Viewer, type?: Sql): Sql =>
  viewer === null ? sql`true` : seenByPartner(anyOf(viewer), type);

/** `partner`: a column, or `any` of a list. */
const seenByPartner = (partner: Sql, type: Sql = sql`event_type`): Sql =>
  sql`(not ${type}.private or exists (select from event_type_partner seen
    where seen.type = ${type}.name and seen.partner_id = ${partner}))`;

/** A viewer does not learn which other partners see a type. */
const columnsFor = (viewer: Viewer): Sql => sql`
  name, description, schema, example, deprecated_at, archived_at,
  case when private then array(select shown.partner_id from event_type_partner shown where shown.type = event_type.name
    ${viewer === null ? sql`` : sql`and shown.partner_id = ${anyOf(viewer)}`} order by shown.partner_id) end as partner_ids,
  (select next.name from event_type next where next.name = event_type.successor and ${seenBy(viewer, sql`next`)}) as successor`;

type Row = Described & {
  partner_ids: string[] | null;
  deprecated_at: Date | null;
  successor: string | null;
  archived_at: Date | null;
};

const toEventType = ({
  partner_ids,
  deprecated_at: at,
  successor,
  archived_at,
  ...content
}: Row): EventType => ({
  ...content,
  partner_ids: partner_ids?.map((id) => formatId('partner', id)) ?? null,
  deprecated: at && { at: at.toISOString(), successor },
  archived_at: archived_at?.toISOString() ?? null,
});

/**
 * Writes the built-in types, as this version has them. @throws Error when an operator has added a type that is
 * built in now
 */
export async function ensureBuiltIn(tx: Transaction, types: readonly Described[]): Promise<void> {
  await tx.query(sql`select set_config('concord.built_in', 'on', true)`);
  await tx.query(sql`
    insert into event_type as known (name, description, schema, example, built_in)
    select name, description, schema, example, true
    from jsonb_to_recordset(${JSON.stringify(types)}::jsonb) as type (name text, description text, schema jsonb, example jsonb)
    order by name
    on conflict (name) do update
    set description = excluded.description, schema = excluded.schema, example = excluded.example, updated_at = concord_now()
    where known.built_in
      and (known.description, known.schema, known.example) is distinct from (excluded.description, excluded.schema, excluded.example)`);
  const own = await queryValues<string>(
    tx,
    sql`select name from event_type where name = any(${types.map(({ name }) => name)}) and not built_in`,
  );
  if (own.length > 0)
    throw new Error(
      `This version has the built-in event type ${own[0]}, and an operator has added a type of this name: give that another name in the table event_type first`,
    );
}

async function selectWhere(on: Queryable, viewer: Viewer, condition: Sql): Promise<EventType[]> {
  const rows = await on.query<Row>(
    sql`select ${columnsFor(viewer)} from event_type where ${condition} and ${seenBy(viewer)} order by name`,
  );
  return rows.map(toEventType);
}

export const selectEventTypes = (on: Queryable, viewer: Viewer, { archived }: { archived: boolean }) =>
  selectWhere(on, viewer, sql`(archived_at is not null) = ${archived}`);

export const selectEventType = async (on: Queryable, viewer: Viewer, name: string) =>
  (await selectWhere(on, viewer, sql`name = ${name}`))[0];

/** As operators see them. */
export const selectEventTypesNamed = (on: Queryable, names: readonly string[]) =>
  selectWhere(on, null, sql`name = any(${[...names]})`);

/** Only types that the partner sees. */
export const selectSchemas = (on: Queryable, partnerId: string, names: readonly string[]) =>
  on.query<StoredSchema>(
    sql`
    select name, updated_at::text as version, schema, archived_at is not null as archived,
      case when private then array(select partner_id from event_type_partner where type = name) end as partner_ids
    from event_type where name = any(${[...names]}) and ${seenBy([partnerId])}`,
    'schemas of event types',
  );

export async function selectVersions(on: Queryable, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await on.query<{ name: string; version: string }>(
    sql`select name, updated_at::text as version from event_type where name = any(${[...names]})`,
    'versions of event types',
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

export type Example = { name: string; example: unknown; archived: boolean };

/**
 * Of the first of these types that the partner sees, an archived one only if there is no other. The example of a
 * checkpoint is none that a receiver accepts.
 */
export const selectExample = (on: Queryable, partnerId: string, names: readonly string[]) =>
  queryRow<Example>(
    on,
    sql`
    select name, example, archived_at is not null as archived from event_type
    where name = any(${[...names]}) and name <> ${checkpointType.name} and ${seenBy([partnerId])}
    order by archived_at is not null, array_position(${[...names]}::text[], name) limit 1`,
  );

/** The last events of a type, the latest first. An id begins with the time of its row. */
export const selectEventsOfType = (on: Queryable, type: string, before: string | null, limit: number) =>
  on.query<{ id: string; partner_id: string; body: string }>(sql`
    select id, partner_id, body from event where type = ${type} ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`);

export const isSeenBy = (on: Queryable, partnerId: string, name: string): Promise<boolean> =>
  hasRows(on, sql`select from event_type where name = ${name} and ${seenBy([partnerId])}`);

/**
 * The first of these that is no type for the partner, or else the first archived one. Until the commit the others
 * stay as they are. Two statements: the second sees what a change of a type, which the first has waited for, has
 * committed.
 */
export async function selectUnusable(
  on: Queryable,
  partnerId: string,
  names: readonly string[],
): Promise<{ name: string; archived: boolean } | undefined> {
  const given = sql`unnest(${[...names]}::text[]) with ordinality as given (name, position)`;
  const [, rows] = await Promise.all([
    on.query(sql`select from event_type where name = any(${[...names]}) order by name for share`),
    on.query<{ name: string; archived: boolean }>(sql`
      select given.name, event_type.name is not null as archived
      from ${given} left join event_type on event_type.name = given.name and ${seenBy([partnerId])}
      where event_type.name is null or event_type.archived_at is not null order by event_type.name is not null, position limit 1`),
  ]);
  return rows[0];
}

/** Changes of types run one at a time. */
export const lockCatalogue = (tx: Transaction) =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord event types', 0))`, 'lock event types');

const toUuids = (partnerIds: readonly string[]) => partnerIds.map((id) => parseId('partner', id));

/** Undefined, or the index of the first that is no partner. They cannot be removed until the commit. */
export async function lockPartners(
  tx: Transaction,
  partnerIds: readonly string[],
): Promise<number | undefined> {
  const ids = toUuids(partnerIds);
  const found = new Set(
    await queryValues<string>(
      tx,
      sql`select id from partner where id = ${anyOf(ids.filter((id) => id !== null))} order by id for key share`,
    ),
  );
  const missing = ids.findIndex((id) => id === null || !found.has(id));
  return missing < 0 ? undefined : missing;
}

/** Call it with the catalogue and the partners locked. */
export async function putEventType(
  tx: Transaction,
  { name, description, schema, example, partner_ids, deprecated, archived }: Content,
): Promise<EventType> {
  const partners = sql`${toUuids(partner_ids ?? [])}::uuid[]`;
  await tx.query(sql`
    insert into event_type (name, description, schema, example, private, deprecated_at, successor, archived_at)
    values (${name}, ${description}, ${JSON.stringify(schema)}, ${JSON.stringify(example)}, ${partner_ids !== null},
      ${deprecated?.at ?? null}, ${deprecated?.successor ?? null}, case when ${archived} then concord_now() end)
    on conflict (name) do update set description = excluded.description, schema = excluded.schema, example = excluded.example,
      private = excluded.private, deprecated_at = excluded.deprecated_at, successor = excluded.successor, archived_at = case when ${archived} then coalesce(event_type.archived_at, concord_now()) end,
      updated_at = ${movedForward(sql`event_type.updated_at`)}`);
  await tx.query(
    sql`delete from event_type_partner where type = ${name} and not partner_id = any(${partners})`,
  );
  await tx.query(sql`
    insert into event_type_partner (type, partner_id) select ${name}, partner_id from unnest(${partners}) partner_id
    on conflict do nothing`);
  return requireRow([await selectEventType(tx, null, name)], 'event type');
}

/** Whether this type is another one that is in use, and that these partners see. Null: all partners. */
export const canSucceed = (
  tx: Transaction,
  { name, partner_ids }: Content,
  successor: string,
): Promise<boolean> =>
  hasRows(
    tx,
    sql`
    select from event_type where name = ${successor} and name <> ${name} and archived_at is null
      and ${partner_ids === null ? sql`not private` : sql`not exists (select from unnest(${toUuids(partner_ids)}::uuid[]) asked (partner_id) where not ${seenByPartner(sql`asked.partner_id`)})`}`,
  );

/** The endpoints that name a type which their partner cannot use. Call it after the type is written. */
export const countLosing = (tx: Transaction, name: string): Promise<number> =>
  selectCount(
    tx,
    sql`event_type join webhook_endpoint endpoint on endpoint.event_types @> array[event_type.name]
    join partner on partner.id = endpoint.partner_id and partner.deleted_at is null
    where event_type.name = ${name} and (archived_at is not null or not ${seenByPartner(sql`endpoint.partner_id`)})`,
  );

/** Also restarts it: the deprecation has changed. */
export const startNotice = (tx: Transaction, type: string) =>
  tx.query(sql`
    insert into deprecation_notice (type) values (${type}) on conflict (type) do update set reached = null`);

export const hasNotices = (on: Queryable): Promise<boolean> =>
  hasRows(on, sql`select from deprecation_notice limit 1`);

/** `deprecated_at` null: the type is not deprecated any more. */
type Notice = {
  type: string;
  reached: string | null;
  deprecated_at: Date | null;
  successor: string | null;
};

export const lockNotice = (tx: Transaction) =>
  queryRow<Notice>(
    tx,
    sql`
    select notice.type, notice.reached, event_type.deprecated_at, event_type.successor
    from deprecation_notice notice join event_type on event_type.name = notice.type
    order by notice.type limit 1 for update of notice skip locked`,
  );

const sees = (type: string | null): Sql =>
  sql`exists (select from event_type where name = ${type} and ${seenByPartner(sql`partner.id`)})`;

/** The next partners that see the type and whose live endpoints name it, and whether they see its successor. */
export const selectNamingPartners = (
  tx: Transaction,
  { type, reached, successor }: Notice,
  limit: number,
): Promise<{ id: string; name: string; sees_successor: boolean }[]> =>
  tx.query(sql`
    select partner.id, partner.name, ${sees(successor)} as sees_successor
    from partner
    where partner.deleted_at is null and (${reached}::uuid is null or partner.id > ${reached})
      and partner.id in (select partner_id from webhook_endpoint where environment = 'live' and event_types @> array[${type}])
      and ${sees(type)}
    order by partner.id limit ${limit}`);

/** `reached` null: every partner was told. */
export async function continueNotice(tx: Transaction, type: string, reached: string | null): Promise<void> {
  await tx.query(
    reached === null
      ? sql`delete from deprecation_notice where type = ${type}`
      : sql`update deprecation_notice set reached = ${reached} where type = ${type}`,
  );
}

// The SQL of event types.
import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { movedForward } from '../../base/postgres/sql/clock.ts';
import { queryRow, queryValues, requireRow } from '../../base/postgres/sql/rows.ts';
import type { StoredSchema } from './data-checks.ts';
import type * as wire from './schema.ts';

export type EventType = Static<typeof wire.EventType>;

const columns = sql`name, description, schema, example`;

export const selectEventTypes = (on: Queryable) =>
  on.query<EventType>(sql`select ${columns} from event_type order by name`);

export const selectSchemas = (on: Queryable, names: readonly string[]) =>
  on.query<StoredSchema>(
    sql`select name, updated_at::text as version, schema from event_type where name = any(${[...names]})`,
    'schemas of event types',
  );

export async function selectVersions(on: Queryable, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await on.query<{ name: string; version: string }>(
    sql`select name, updated_at::text as version from event_type where name = any(${[...names]})`,
    'versions of event types',
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

export const selectEventType = (on: Queryable, name: string) =>
  queryRow<EventType>(on, sql`select ${columns} from event_type where name = ${name}`);

/** The last events of a type, the latest first. An id begins with the time of its row. */
export async function selectEventsOfType(
  on: Queryable,
  type: string,
  before: string | null,
  limit: number,
): Promise<{ id: string; partner_id: string; body: string }[]> {
  const earlier = before === null ? sql`` : sql`and id < ${before}`;
  return on.query(
    sql`select id, partner_id, body from event where type = ${type} ${earlier} order by id desc limit ${limit}`,
  );
}

export const selectUnknownEventTypes = (on: Queryable, names: readonly string[]): Promise<string[]> =>
  queryValues(
    on,
    sql`
    select asked.name from unnest(${[...names]}::text[]) with ordinality as asked (name, position)
    where not exists (select from event_type where event_type.name = asked.name) order by position`,
  );

export async function putEventType(
  tx: Transaction,
  { name, description, schema, example }: EventType,
): Promise<EventType> {
  const rows = await tx.query<EventType>(sql`
    insert into event_type (name, description, schema, example)
    values (${name}, ${description}, ${JSON.stringify(schema)}, ${JSON.stringify(example)})
    on conflict (name) do update set description = excluded.description, schema = excluded.schema, example = excluded.example,
      updated_at = ${movedForward(sql`event_type.updated_at`)}
    returning ${columns}`);
  return requireRow(rows, 'event type');
}

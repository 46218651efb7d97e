// The SQL of the check of a filter.
import sql from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import { anyOf } from '../../../base/postgres/sql/rows.ts';
import type { Environment } from '../../signing-keys/index.ts';

/** The last events of a partner, the latest first. No body is read. */
export const selectLastEvents = (on: Queryable, partnerId: string, environment: Environment, limit: number) =>
  on.query<{ id: string; type: string; bytes: number }>(sql`
    select id, type, octet_length(body) as bytes from event
    where partner_id = ${partnerId} and environment = ${environment} order by position desc limit ${limit}`);

/** In the same order. What the retention has deleted meanwhile is left out. */
export const selectBodies = (on: Queryable, ids: readonly string[]) =>
  on.query<{ id: string; body: string }>(
    sql`select id, body from event where id = ${anyOf(ids)} order by position desc`,
  );

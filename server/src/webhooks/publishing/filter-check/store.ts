// The SQL of the check of a filter.
import sql from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import { anyOf } from '../../../base/postgres/sql/rows.ts';
import type { Environment } from '../../signing-keys/index.ts';

/** The last events of a partner, the latest first. No body is read. */
export const selectLastEvents = (
  on: Queryable,
  partnerId: string,
  environment: Environment,
  limit: number,
): Promise<{ id: string; type: string; bytes: number }[]> =>
  on.query(sql`
    select id, type, octet_length(body) as bytes from event
    where partner_id = ${partnerId} and environment = ${environment} order by position desc limit ${limit}`);

export const selectBodies = (
  on: Queryable,
  ids: readonly string[],
): Promise<{ id: string; body: string }[]> =>
  on.query(sql`select id, body from event where id = ${anyOf(ids)}`);

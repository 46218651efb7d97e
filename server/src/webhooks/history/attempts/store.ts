// The SQL of single attempts. The engine writes them.
import sql from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import type { Attempt } from '../deliveries/schema.ts';

/** A row of the table `attempt`, with the body of its event. */
export type AttemptRow = Omit<Attempt, 'started_at'> & {
  started_at: Date;
  body: string | null;
  url: string | null;
  /** A bigint, which pg reads as text. */
  created: string | null;
  key_id: string | null;
  signature: Buffer | null;
};

export async function selectAttempt(
  on: Queryable,
  deliveryId: string,
  number: number,
): Promise<AttemptRow | undefined> {
  const [row] = await on.query<AttemptRow>(sql`
    select number, started_at, duration_ms, status_code, error, response_body, url, created, key_id, signature,
      (select body from event where id = (select event_id from delivery where id = ${deliveryId})) as body
    from attempt where delivery_id = ${deliveryId} and number = ${number}`);
  return row;
}

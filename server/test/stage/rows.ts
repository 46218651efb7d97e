// What a database holds, as text: tests of secrets look for them there.
import type { TestDatabase } from './start-service.ts';

/** Each table with all its rows. Bytes are hexadecimal. */
export async function everyTable({ sql }: Pick<TestDatabase, 'sql'>) {
  const tables = await sql(
    `select format('select coalesce(string_agg(row_to_json(t)::text, ''''), '''') as text from %I.%I t', schemaname, tablename) as query
     from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(tables.map(({ query }) => sql(query)));
  return texts.map(([row]) => row.text as string);
}

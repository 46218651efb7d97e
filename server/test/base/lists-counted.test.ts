// How many items long lists have, and what the filters on text read (behaviour Q2).
import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { migrate } from '../../src/base/postgres/migrations.ts';
import { createTotals } from '../../src/base/postgres/sql/totals.ts';
import { newDatabase } from '../stage/new-database.ts';
import { useService } from '../stage/start-service.ts';

const service = useService();

const insert = (from: number, to: number) =>
  service.sql(
    `insert into partner (id, name, vat_no) select gen_random_uuid(), 'Handel ' || n || case when n % 2 = 0 then ' AS' else '' end, 'NO' || n
     from generate_series($1::int, $2) n`,
    [from, to],
  );
const totalOf = async (query: string) => {
  const { headers, status } = await service.get(`/partners?page_size=1${query}`);
  expect(status).toBe(200);
  return [Number(headers['total-count']), headers['total-count-estimated']];
};

it('Q2: the total is exact up to 10,000, and an estimate beyond, with and without filters', async () => {
  await insert(1, 10_000);
  expect(await totalOf('')).toEqual([10_000, undefined]);
  await insert(10_001, 30_000);
  await service.sql('analyze partner');
  const [all, marked] = await totalOf('');
  expect([marked, Math.round(Number(all) / 3_000)]).toEqual(['true', 10]);
  const [some, markedToo] = await totalOf('&filter[name]=as');
  expect(markedToo).toBe('true');
  expect(some).toBeGreaterThan(10_000);
  expect(some).toBeLessThan(30_000);
  expect(await totalOf('&filter[name]=del%205556%20a')).toEqual([1, undefined]);
  expect(await totalOf('&filter[vat_no]=O2555')).toEqual([11, undefined]);
  // The whole list has the same header.
  expect((await service.get('/partners')).headers['total-count-estimated']).toBe('true');
});

it('Q2: an estimate far above 10,000 is kept for ten seconds, and anything less is counted again', async () => {
  const db = service.database.open();
  let nowMs = 0;
  let statements = 0;
  const totals = createTotals(() => nowMs);
  const on: typeof db = {
    ...db,
    query: (statement, name) => {
      statements++;
      return db.query(statement, name);
    },
  };
  const work = async (count: number) => {
    statements = 0;
    const total = await totals(on, sql`generate_series(1, ${count}::int)`);
    return [total.estimated, statements];
  };
  // An estimate takes a second statement.
  expect(await work(60_000)).toEqual([true, 2]);
  expect(await work(60_000)).toEqual([true, 0]);
  expect(await work(60_001)).toEqual([true, 2]);
  for (const count of [9_999, 10_000, 10_001, 19_999])
    expect([await work(count), await work(count)]).not.toContainEqual([true, 0]);
  nowMs = 9_999;
  expect(await work(60_000)).toEqual([true, 0]);
  nowMs = 10_000;
  expect(await work(60_000)).toEqual([true, 2]);
  await db.close();
});

it('Q2: a first page that holds the whole list is not counted again', async () => {
  await service.sql(
    `insert into partner (id, name, deleted_at) select gen_random_uuid(), 'Gone ' || n, now() from generate_series(1, 3) n`,
  );
  // Every statement about deleted partners reads the clock. The statements of tasks read it too, at any time.
  await service.sql(`create sequence readings`);
  await service.sql(`create or replace function concord_now() returns timestamptz language plpgsql stable as $$
    begin
      if current_query() ~ 'from partner\\s+where .*deleted_at > ' then perform nextval('readings'); end if;
      return now();
    end $$`);
  const readings = async (query: string) => {
    const [before] = await service.sql(`select nextval('readings')::int as count`);
    const { headers, body } = await service.get(`/platform/deleted-partners?${query}`);
    const [after] = await service.sql(`select nextval('readings')::int as count`);
    return { total: headers['total-count'], length: body.length, count: after.count - before.count };
  };
  const [part, whole] = [await readings('page_size=2'), await readings('page_size=3')];
  expect([part, whole]).toMatchObject([
    { total: '3', length: 2 },
    { total: '3', length: 3 },
  ]);
  expect(whole.count).toBeLessThan(part.count);
});

it('Q1: a page of users by name is read from an index', async () => {
  const { sql: run } = service.database;
  await run(
    `insert into auth."user" (id, name, email, email_verified) select 'usr_' || n, 'Ann ' || n, n || '@x.test', true from generate_series(1, 5000) n`,
  );
  await run('vacuum analyze auth."user"');
  const plan = await run('explain (format json) select * from auth."user" order by name, id limit 50');
  expect(JSON.stringify(plan)).toContain('"Index Name":"user_name"');
});

it('Q2: a filter on a part of a text uses an index', async () => {
  const plan = (column: string) =>
    service.sql(
      `explain (format json) select from partner where deleted_at is null and ${column} ilike '%5555%'`,
    );
  await service.sql('vacuum analyze partner');
  for (const column of ['name', 'vat_no']) {
    expect(JSON.stringify(await plan(column))).toContain(`"Index Name":"partner_${column}_text"`);
  }
});

it('Q2: without pg_trgm Concord says so at start, answers the same, and uses the extension when it comes', async () => {
  const database = await newDatabase();
  const url = { connectionString: database.url };
  await database.sql('drop extension pg_trgm cascade');
  // As for a role that may not create it.
  await database.sql(`create function refuse() returns event_trigger language plpgsql as $$
    begin raise exception 'no' using errcode = 'insufficient_privilege'; end $$`);
  await database.sql(
    `create event trigger refuse on ddl_command_start when tag in ('CREATE EXTENSION') execute function refuse()`,
  );
  const lines: string[] = [];
  await migrate(url, (line) => lines.push(line));
  expect(lines).toEqual([expect.stringContaining('lacks the extension pg_trgm')]);
  await database.sql('drop event trigger refuse');
  await migrate(url, (line) => lines.push(line));
  expect(lines).toHaveLength(1);
  expect(await database.sql(`select from pg_indexes where indexname like '%\\_text'`)).toHaveLength(6);
  await migrate(url, (line) => lines.push(line));
});

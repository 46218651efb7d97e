// A clock of the database that a test moves. It reads a row, so a statement sees one time: a function that is replaced
// while PostgreSQL plans a statement can be there twice, in two versions.

const movable = `
  create schema test;
  create table test.clock (ahead interval not null, stopped timestamptz);
  insert into test.clock values ('0');
  create or replace function concord_now() returns timestamptz language sql stable as
    $$ select coalesce(stopped, date_trunc('milliseconds', now()) + ahead) from test.clock $$`;

export function createClock(sql: (statement: string) => Promise<unknown>) {
  let made: Promise<unknown> | undefined;
  async function move(change: string) {
    made ??= sql(movable);
    await made;
    await sql(`update test.clock set ${change}`);
  }
  return {
    /** Moves the database's clock ahead by this much; it keeps running. */
    advanceClock: (ms: number) => move(`ahead = '${ms} milliseconds', stopped = null`),
    /** Stops the database's clock at this moment. */
    setClock: (moment: string) => move(`stopped = '${moment}'`),
  };
}

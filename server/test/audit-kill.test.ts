// A killed process leaves a change with its row in the audit log, or neither.
import { expect, it } from 'vitest';
import { kill, launch, newDataDir, signIn } from './launch.ts';
import { createTestDatabase } from './start-service.ts';

it('U10: a process that is killed between two steps leaves change and row both or neither', async () => {
  const database = await createTestDatabase();
  const password = 'correct horse battery';
  const environment = {
    DATABASE_URL: database.url,
    CONCORD_DATA_DIR: newDataDir(),
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_RATE_LIMIT: 'off',
  };
  const { sql } = database;
  /** The invitation stops before its statement on the table, or before its commit, and the process dies there. */
  const steps = ['audit_log', 'audit_unsealed', 'mail', 'commit'] as const;
  await sql(
    'create function wait_here() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(4711); return null; end $$',
  );
  for (const step of steps) {
    const started = launch(environment);
    const { request, close } = await signIn(await started.ready(), password);
    const { body: partner } = await request('POST', '/partners', { name: step });
    await sql('select pg_advisory_lock(4711)');
    await sql(
      step === 'commit'
        ? 'create constraint trigger wait_here after insert on agreement deferrable initially deferred for each row execute function wait_here()'
        : `create trigger wait_here before insert on ${step} for each statement execute function wait_here()`,
    );
    const answer = request('POST', `/partners/${partner.id}/agreements`, { email: 'ann@concord.test' }).catch(() => null);
    const waiting = `select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await sql(waiting)).length, { timeout: 20_000 }).toBe(1);
    await kill(started.child);
    await answer;
    close();
    await sql('select pg_advisory_unlock(4711)');
    // The transaction of the dead process ends when the server notices, and the next statement waits for it.
    await sql(`drop trigger wait_here on ${step === 'commit' ? 'agreement' : step}`);
    const [{ changes, rows, mails }] = await sql(
      `select (select count(*)::int from agreement join partner on partner.id = partner_id where name = $1) as changes,
        (select count(*)::int from audit_log join partner on partner.id = partner_id where name = $1 and action = 'agreement.create') as rows,
        (select count(*)::int from mail) as mails`,
      [step],
    );
    // A commit that the server has received takes place.
    const expected = step === 'commit' ? 1 : 0;
    expect([step, changes, rows, mails]).toEqual([step, expected, expected, expected]);
    await sql('delete from mail');
  }
  await database.drop();
});

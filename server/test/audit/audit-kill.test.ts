// A process that is killed in the middle of a change leaves all of it, or nothing.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { kill, launch } from '../stage/launch.ts';
import { type Stop, stopAt } from '../stage/locks.ts';
import {
  createClient,
  createTestDatabase,
  insertSession,
  newEmail,
  type Response,
  secrets,
} from '../stage/start-service.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Client = { request(method: string, path: string, body?: unknown): Promise<Response> };
/** `prepare` returns the request that is killed. */
async function killAt(stop: Stop, prepare: (client: Client) => Promise<() => Promise<unknown>>) {
  const started = launch({
    DATABASE_URL: database.url,
    CONCORD_SECRETS: secrets,
    CONCORD_RATE_LIMIT: 'off',
  });
  const { request, close } = createClient(await started.ready());
  const [operator] = await database.sql(`select id from auth."user" where role = 'operator'`);
  const token = await insertSession(database.sql, operator.id);
  const change = await prepare({
    request: (method, path, body) => request(method, path, { token, body }),
  });
  const { reached, release } = await stopAt(database, stop);
  const answer = change().catch(() => null);
  await reached();
  if (stop.event === 'commit') {
    // The process does nothing more. Were it dead, the server could notice that before it commits.
    started.child.kill('SIGSTOP');
    await release();
  }
  await kill(started.child);
  await answer;
  close();
  // The transaction of the dead process ends when the server notices, and this waits for it.
  if (stop.event !== 'commit') await release();
}

it('U10: a process that is killed between two steps leaves change and row both or neither', async () => {
  const { sql } = database;
  const stops: Stop[] = [
    ...['audit_log', 'audit_unsealed', 'mail'].map((table) => ({ table, event: 'insert' as const })),
    { table: 'agreement', event: 'commit' },
  ];
  for (const stop of stops) {
    await killAt(stop, async ({ request }) => {
      const { body: partner } = await request('POST', '/partners', { name: stop.table });
      return () => request('POST', `/partners/${partner.id}/agreements`, { email: 'ann@concord.test' });
    });
    const [{ changes, rows, mails }] = await sql(
      `select (select count(*)::int from agreement join partner on partner.id = partner_id where name = $1) as changes,
        (select count(*)::int from audit_log join partner on partner.id = partner_id where name = $1 and action = 'agreement.create') as rows,
        (select count(*)::int from mail) as mails`,
      [stop.table],
    );
    // A commit that the server has received takes place. It is sent with the mail.
    const expected = stop.event === 'commit' ? 1 : stop.table === 'mail' ? changes : 0;
    expect([stop.table, changes, rows, mails]).toEqual([stop.table, expected, expected, expected]);
    await sql('delete from mail');
  }
});

it('U10, U13: a process that is killed in a deletion leaves the person with everything, or erased with its row', async () => {
  const { sql } = database;
  const stops: Stop[] = [
    { table: 'auth."user"', event: 'delete' },
    { table: 'audit_person', event: 'delete' },
    { table: 'audit_log', event: 'commit' },
  ];
  for (const stop of stops) {
    const [id, email] = [newId('user'), newEmail()];
    await killAt(stop, async ({ request }) => {
      await sql(
        `insert into auth."user" (id, name, email, email_verified, role) values ($1, 'Ann', $2, true, 'user')`,
        [id, email],
      );
      const { body: partner } = await request('POST', '/partners', { name: 'Acme' });
      const invited = await request('POST', `/partners/${partner.id}/agreements`, { email });
      expect(invited.status).toBe(201);
      return () => request('DELETE', `/users/${id}`);
    });
    const [left] = await sql(
      `select (select count(*)::int from auth."user" where id = $1) as users,
        (select count(*)::int from agreement where email = $2) as invitations,
        (select count(*)::int from audit_person where personal::text like '%' || $2 || '%') > 0 as values,
        (select count(*)::int from audit_log where target = $1 and action = 'user.delete') as rows`,
      [id, email],
    );
    const happened = stop.event === 'commit';
    expect([stop.table, left]).toEqual([
      stop.table,
      happened
        ? { users: 0, invitations: 0, values: false, rows: 1 }
        : { users: 1, invitations: 1, values: true, rows: 0 },
    ]);
  }
});

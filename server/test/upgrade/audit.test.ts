// The audit log of a database that an older version wrote.
import { expect, it } from 'vitest';
import { createSealKeys, verifyLog } from '../../src/audit/index.ts';
import { createDatabase } from '../../src/base/postgres/database.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('U6, U7, U9: rows of an older version can be read, are sealed, and keep their personal values', async () => {
  const older = await createOlderDatabase('0022');
  await older.sql(`insert into audit_person (id, email, address) values
    ('00000000-0000-7000-8000-000000000001', 'Ann@concord.test', null), ('00000000-0000-7000-8000-000000000002', null, '192.0.2.1')`);
  await older.sql(
    `insert into audit_log (request_id, actor_id, credential, action, target, outcome, details, person_id) values
     ('r1', 'usr_a', 'session s', 'agreement.create', 'agr_a', 'done', '{"owner": true}', '00000000-0000-7000-8000-000000000001'),
     ('r2', 'unknown', 'none ', 'account.sign_in', 'usr_a', 'failed', '{"by": "password"}', '00000000-0000-7000-8000-000000000002'),
     ('', 'system', 'task purge deleted partners', 'partner.purge', 'ptr_a', 'done', '{}', null)`,
  );
  const secret = 's'.repeat(40);
  const service = await startTestService({ CONCORD_SECRETS: `1:${secret}` }, () => older.url);
  const { body } = await service.request('GET', '/audit-log?sort_dir=asc&page_size=3');
  expect(body).toMatchObject([
    {
      actor: { kind: 'person', id: 'usr_a', address: null },
      details: { owner: true },
      email: 'Ann@concord.test',
    },
    {
      actor: { kind: 'nobody', address: '192.0.2.1' },
      details: { by: 'password' },
      email: null,
      erased: false,
    },
    { actor: { kind: 'task', id: 'system' }, request_id: null, erased: false },
  ]);
  const unsealed = () => older.sql('select from audit_unsealed').then(({ length }) => length);
  await expect.poll(unsealed, { timeout: 20_000 }).toBe(0);
  const db = createDatabase({ connection: { connectionString: older.url }, onConnectionLost: () => {} });
  const options = {
    db,
    keys: createSealKeys([{ version: 1, value: secret }]),
    expected: undefined,
    progress: () => {},
  };
  const { findings, rows, erased } = await verifyLog(options);
  expect([findings, rows >= 3, erased]).toEqual([[], true, 0]);
  await db.close();
  await service.stop();
  await older.drop();
});

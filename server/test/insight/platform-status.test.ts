// The status of the installation, with two instances on one database (behaviour I3, I4).

import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { createCast } from '../stage/cast.ts';
import { kill } from '../stage/launch.ts';
import { useMailed } from '../stage/mailbox.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { createWebhookPartner, startWorker, startWorkerHere } from '../stage/webhook-stage.ts';

const hourMs = 3_600_000;

const { mailbox, service } = useMailed({ ...toLoopback, CONCORD_ROLE: 'api' });

const status = async () => {
  const answer = await service.get('/platform/status');
  expect(answer.status).toBe(200);
  return answer.body;
};
const workers = async () =>
  (await status()).instances.filter(({ role }: { role: string }) => role === 'worker');

it('I3: the status has the version, the database, and the instance that answers', async () => {
  const { version, database, instances, clock_difference_ms: difference } = await status();
  const [{ server_version, size, most }] = await service.sql(
    `select current_setting('server_version') as server_version, pg_database_size(current_database())::int as size,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - current_setting('reserved_connections')::int as most`,
  );
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(database).toMatchObject({ server_version, max_connections: most, writable: true });
  expect(database.connections).toBeGreaterThan(1);
  expect(Math.abs(database.size_bytes / size - 1)).toBeLessThan(0.5);
  expect(instances).toMatchObject([{ host_name: hostname(), role: 'api', version, alive: true, lanes: 0 }]);
  expect(Math.abs(difference)).toBeLessThan(hourMs / 60);
});

it('I3: a database that is set to read only is not writable', async () => {
  const name = new URL(service.database.url).pathname.slice(1);
  await service.sql(`alter database ${name} set default_transaction_read_only = on`);
  // Only new connections have the setting.
  await service.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  try {
    const writable = async () => (await service.get('/platform/status')).body.database?.writable;
    await expect.poll(writable).toBe(false);
  } finally {
    await service.sql(`alter database ${name} reset default_transaction_read_only`);
    await service.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await expect.poll(async () => (await service.get('/platform/status')).body.database?.writable).toBe(true);
  }
});

it('I3: mails that wait and fail are counted', async () => {
  expect((await status()).mail).toEqual({ waiting: 0, failing: 0, oldest_age_seconds: null });
  mailbox.set('refusing');
  const cast = createCast(service);
  await cast.invite(await cast.partner(), 'ann@nordlys.example');
  const mail = async () => (await status()).mail;
  await expect.poll(mail).toMatchObject({ waiting: 1, failing: 1 });
  await service.advanceClock(hourMs);
  expect((await mail()).oldest_age_seconds).toBeGreaterThanOrEqual(hourMs / 1_000);
  await service.advanceClock(0);
});

it('I3, I4: two instances show their lanes and the backlog; a stopped one is gone, a killed one is not alive, then forgotten', async () => {
  const receiver = await startReceiver(service.url);
  const hanging: ServerResponse[] = [];
  let hang = true;
  const behave = (_: unknown, response: ServerResponse) =>
    hang ? void hanging.push(response) : void response.writeHead(204).end();
  const partner = await createWebhookPartner(service, receiver.url(behave));
  expect((await status()).backlog).toEqual({ pending: 0, oldest_pending_age_seconds: null });
  await partner.publishMany(3);
  expect((await status()).backlog.pending).toBe(3);

  const worker = await startWorker(service);
  await expect.poll(workers).toMatchObject([{ alive: true, lanes: 1 }]);
  await kill(worker.child);
  hang = false;
  for (const response of hanging) response.destroy();
  const ids = async () =>
    (await status()).instances.map(({ role, alive }: { role: string; alive: boolean }) => [role, alive]);

  // The api gives its next sign at the new time; the dead worker does not.
  await service.advanceClock(60_000);
  await expect.poll(ids).toEqual([
    ['api', true],
    ['worker', false],
  ]);
  expect((await status()).backlog.oldest_pending_age_seconds).toBeGreaterThanOrEqual(60);
  expect((await status()).clock_difference_ms).toBeLessThan(-50_000);
  await service.runTask('forget dead instances');
  expect(await workers()).toHaveLength(1);
  await service.advanceClock(2 * hourMs);
  await expect.poll(ids).toContainEqual(['api', true]);
  await service.runTask('forget dead instances');
  expect(await ids()).toEqual([['api', true]]);

  const second = await startWorkerHere(service);
  expect(await workers()).toMatchObject([{ alive: true }]);
  await second.stop();
  expect(await ids()).toEqual([['api', true]]);
  receiver.close();
});

// Worker processes beside the process that answers requests.
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectStatus, pluck, stock } from '../stage/cast.ts';
import { alive, launch, newScratchDir, signIn } from '../stage/launch.ts';
import { newDatabase } from '../stage/new-database.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { metricsUrlOf, scrape, sumOf } from '../stage/scrape.ts';

const password = 'correct horse battery';

async function start(environment: Record<string, string> = {}) {
  const database = await newDatabase();
  const { child, lines, ended, ready } = launch({
    ...toLoopback,
    DATABASE_URL: database.url,
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_WORKERS: '2',
    CONCORD_LOG_LEVEL: 'info',
    CONCORD_RATE_LIMIT: 'off',
    ...environment,
  });
  const url = await ready();
  const workers = () =>
    lines.flatMap((line) =>
      line.includes('a worker process was started') ? [JSON.parse(line).worker as number] : [],
    );
  return { database, child, lines, ended, url, workers, session: await signIn(url, password) };
}

it('I5, W18, O7: workers deliver beside the process that answers requests; one that is killed is replaced; one scrape shows all, and leaves out a worker that hangs; all end with it, and keep no lane', async () => {
  const { database, child, lines, ended, url, workers, session } = await start({ CONCORD_METRICS_PORT: '0' });
  const roles = async () =>
    pluck((await session.request('GET', '/platform/status')).body.instances, 'role').toSorted();
  await expect.poll(roles).toEqual(['all', 'worker', 'worker']);
  const metrics = metricsUrlOf(lines);
  const answering = async () =>
    sumOf(await scrape(metrics), 'concord_worker_processes', { state: 'answering' });
  // A scrape asks every process.
  const slowly = { interval: 500 };
  await expect.poll(answering, slowly).toBe(2);
  const samples = await scrape(metrics);
  for (const process of ['main', 'worker-1', 'worker-2'])
    expect(sumOf(samples, 'process_resident_memory_bytes', { process }), process).toBeGreaterThan(0);
  expect(samples.filter(({ name }) => name === 'concord_deliveries_pending')).toHaveLength(1);

  const receiver = await startReceiver(url);
  const held: ServerResponse[] = [];
  let holds = true;
  const hook = receiver.url((_, response) =>
    holds ? void held.push(response) : response.writeHead(204).end(),
  );
  const { id } = (await session.request('POST', '/partners', { name: 'Acme' })).body;
  // More than the process that answers requests may send at once.
  for (let n = 0; n < 40; n++)
    await session.request('POST', `/partners/${id}/webhook-endpoints`, { url: hook });
  const publish = async () =>
    expect((await session.request('POST', `/partners/${id}/events`, stock())).status).toBe(202);
  const owners = async () =>
    (await database.sql('select count(distinct owner)::int as owners from lane'))[0].owners;
  await publish();
  await receiver.count(hook, 40);
  await expect.poll(owners).toBeGreaterThan(1);
  holds = false;
  for (const response of held) response.writeHead(204).end();
  await expect.poll(owners).toBe(0);

  const [first] = workers();
  process.kill(first!, 'SIGSTOP');
  // The worker would never answer.
  const without = await scrape(metrics);
  expect(sumOf(without, 'concord_worker_processes', { state: 'answering' })).toBe(1);
  expect(sumOf(without, 'concord_worker_processes', { state: 'wanted' })).toBe(2);
  process.kill(first!, 'SIGKILL');
  await expect.poll(() => workers().length).toBe(3);
  await expect.poll(answering, slowly).toBe(2);
  const replaced = await scrape(metrics);
  expect(sumOf(replaced, 'concord_worker_process_ends_total')).toBe(1);
  expect(new Set(replaced.flatMap(({ labels }) => labels.process ?? []))).toEqual(
    new Set(['main', 'worker-1', 'worker-2']),
  );
  await publish();
  const ids = (await receiver.count(hook, 80)).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);

  await expect.poll(owners).toBe(0);
  holds = true;
  await publish();
  await receiver.count(hook, 120);
  await expect.poll(owners).toBeGreaterThan(1);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(workers().filter(alive)).toEqual([]);
  expect(await owners()).toBe(0);
  session.close();
  receiver.close();
  expect(receiver.refused).toEqual([]);
});

it('I5: workers that end at each start are tried again after a growing wait; the service answers, and stops at once', async () => {
  const crash = join(newScratchDir(), 'crash.mjs');
  writeFileSync(crash, `if (process.argv.at(-1) === 'worker') process.exit(3);`);
  const settings = { CONCORD_WORKERS: '1', NODE_OPTIONS: `--import=${crash}` };
  const { child, lines, ended, session } = await start(settings);
  const ends = () =>
    lines.flatMap((line) => {
      if (!line.includes('a worker process ended')) return [];
      const { code, restartInMs } = JSON.parse(line);
      return [{ code, restartInMs }];
    });
  await expect.poll(ends).toEqual([
    { code: 3, restartInMs: 1_000 },
    { code: 3, restartInMs: 2_000 },
  ]);
  await expectStatus(200, session.request('GET', '/health/ready'));
  session.close();
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(ends()).toHaveLength(2);
});

it('I5: workers end when the process that started them is killed', async () => {
  const { database, child, workers, session } = await start({ CONCORD_WORKERS: '1' });
  await expect.poll(() => database.sql('select from instance')).toHaveLength(2);
  session.close();
  expect(workers().filter(alive)).toHaveLength(1);
  child.kill('SIGKILL');
  await expect.poll(() => workers().filter(alive), { timeout: 20_000 }).toEqual([]);
});

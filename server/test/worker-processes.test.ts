// Worker processes beside the process that answers requests: they deliver, are replaced, and end with it.
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { alive, kill, launch, newDataDir, signIn } from './launch.ts';
import { startReceiver, toLoopback } from './receiver.ts';

const password = 'correct horse battery';

async function start(dataDir = newDataDir()) {
  const { child, lines, ended } = launch({
    ...toLoopback,
    CONCORD_DATA_DIR: dataDir,
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_WORKERS: '2',
    CONCORD_LOG_LEVEL: 'info',
    CONCORD_RATE_LIMIT: 'off',
  });
  const urls = () => lines.flatMap((line) => /^Concord is ready at (\S+)$/.exec(line)?.[1] ?? []);
  await expect.poll(urls, { timeout: 60_000 }).toHaveLength(1);
  const url = urls()[0]!;
  const workers = () =>
    lines.flatMap((line) => (line.includes('a worker process was started') ? [JSON.parse(line).worker as number] : []));
  const session = await signIn(url, password);
  const instances = async (): Promise<{ role: string; lanes: number; alive: boolean }[]> =>
    (await session.request('GET', '/platform/status')).body.instances;
  const aliveWorkers = async () => (await instances()).filter(({ role, alive: isAlive }) => role === 'worker' && isAlive);
  return { child, ended, url, workers, session, aliveWorkers };
}

it('I5: workers deliver beside the process that answers requests; one that is killed is replaced; all end with it', async () => {
  const { child, ended, url, workers, session, aliveWorkers } = await start();
  await expect.poll(async () => (await aliveWorkers()).length, { timeout: 60_000 }).toBe(2);
  const receiver = await startReceiver(url);
  const held: ServerResponse[] = [];
  let holds = true;
  const hook = receiver.url((_, response) => (holds ? void held.push(response) : response.writeHead(204).end()));
  const { id } = (await session.request('POST', '/partners', { name: 'Acme' })).body;
  // More than the process that answers requests may send at once.
  for (let n = 0; n < 40; n++) await session.request('POST', `/partners/${id}/webhook-endpoints`, { url: hook });
  const publish = async () =>
    expect(
      (await session.request('POST', `/partners/${id}/events`, { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } }))
        .status,
    ).toBe(202);
  await publish();
  await receiver.count(hook, 40);
  await expect
    .poll(async () => (await aliveWorkers()).reduce((sum, { lanes }) => sum + lanes, 0), { timeout: 20_000 })
    .toBeGreaterThan(0);
  holds = false;
  for (const response of held) response.writeHead(204).end();

  const [first] = workers();
  process.kill(first!, 'SIGKILL');
  await expect.poll(() => workers().length, { timeout: 20_000 }).toBe(3);
  await publish();
  const ids = (await receiver.count(hook, 80)).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);

  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(workers().filter(alive)).toEqual([]);
  session.close();
  receiver.close();
  expect(receiver.refused).toEqual([]);
}, 120_000);

it('I5: workers end when the process that started them is killed', async () => {
  const { child, workers, session } = await start();
  expect(workers()).toHaveLength(2);
  session.close();
  await kill(child);
  await expect.poll(() => workers().filter(alive), { timeout: 20_000 }).toEqual([]);
}, 120_000);

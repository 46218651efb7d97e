// This version beside the next one, on one database, under load.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { expectStatus, succeed } from '../stage/cast.ts';
import { launch, newDataDir } from '../stage/launch.ts';
import { newDatabase } from '../stage/new-database.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { createClient, operator } from '../stage/start-service.ts';
import { makeNextVersion } from './next-step.ts';

const eventsOfEach = 30;

it('I7: the version before goes on working beside this one, and nothing is lost when it stops', async () => {
  const checkout = makeNextVersion();
  const database = await newDatabase({ migrated: false });
  const environmentOf = (sender: string) => ({
    ...toLoopback,
    DATABASE_URL: database.url,
    CONCORD_DATA_DIR: newDataDir(),
    CONCORD_SECRETS: `1:${'r'.repeat(40)}`,
    CONCORD_OPERATOR_EMAIL: operator.email,
    CONCORD_OPERATOR_PASSWORD: operator.password,
    CONCORD_RATE_LIMIT: 'off',
    // The User-Agent of webhooks has it, so the receiver knows who sent one.
    CONCORD_WEBHOOK_BASE_URL: `http://${sender}.test`,
  });
  const visit = async (url: string) => {
    const { request, close } = createClient(url);
    onTestFinished(close);
    const { body } = await request('POST', '/api/auth/sign-in/email', { body: operator });
    return (method: string, path: string, sent?: unknown, token: string = body.token) =>
      request(method, path, { token, ...(sent !== undefined && { body: sent }) }).then((answer) => ({
        ...answer,
        token: body.token,
      }));
  };

  const older = launch(environmentOf('older'));
  const olderUrl = await older.ready();
  const atOlder = await visit(olderUrl);
  const receiver = await startReceiver(olderUrl);
  onTestFinished(receiver.close);
  const hook = receiver.url();
  const newPartner = async () => {
    const path = `/partners/${succeed(await atOlder('POST', '/partners', { name: 'Acme' })).id}`;
    succeed(await atOlder('POST', `${path}/webhook-endpoints`, { url: hook }));
    return path;
  };
  const partner = await newPartner();
  const ofEach: Record<string, string> = { older: partner, newer: await newPartner() };

  const acknowledged = new Map<string, string[]>([
    ['older', []],
    ['newer', []],
  ]);
  let publishing = true;
  /** Each sends to the partner of the other: the process that owns a busy lane keeps it. */
  let crossing = false;
  onTestFinished(() => {
    publishing = false;
  });
  /** Publishes until the end. An event without an acknowledgement may exist or not. */
  async function publish(name: string, at: typeof atOlder) {
    for (let quantity = 0; publishing; quantity++) {
      const event = { type: 'inventory.updated', data: { sku: name, quantity } };
      const path = ofEach[crossing ? (name === 'older' ? 'newer' : 'older') : name];
      const answer = await at('POST', `${path}/events`, event).catch(() => undefined);
      if (answer?.status === 202) acknowledged.get(name)!.push(answer.body.id);
      await pause(20);
    }
  }
  const atLeast = (name: string, count: number) =>
    expect.poll(() => acknowledged.get(name)!.length).toBeGreaterThanOrEqual(count);
  const load = [publish('older', atOlder)];
  await atLeast('older', eventsOfEach);

  const environment = environmentOf('newer');
  const newer = launch(environment, [], { checkout });
  const atNewer = await visit(await newer.ready());
  load.push(publish('newer', atNewer));
  // Sessions of both hold at both, and so do new sign-ins.
  const [ofOlder, ofNewer] = [await (await visit(olderUrl))('GET', partner), await atNewer('GET', partner)];
  await expectStatus(200, atNewer('GET', partner, undefined, ofOlder.token));
  await expectStatus(200, atOlder('GET', partner, undefined, ofNewer.token));
  expect(succeed(await atOlder('PATCH', partner, { phone: '+1' })).phone).toBe('+1');
  expect(succeed(await atNewer('PATCH', partner, { description: 'new' }))).toMatchObject({
    phone: '+1',
    description: 'new',
  });
  expect(succeed(await atOlder('GET', partner))).toEqual(succeed(await atNewer('GET', partner)));
  const more = (name: string) => atLeast(name, acknowledged.get(name)!.length + eventsOfEach);
  await Promise.all([more('older'), more('newer')]);
  const senders = () =>
    new Set(
      receiver.at(hook).map(({ headers }) => /(older|newer)\.test/.exec(headers['user-agent'] ?? '')?.[1]),
    );
  await expect.poll(senders).toEqual(new Set(['older', 'newer']));
  crossing = true;
  await Promise.all([more('older'), more('newer')]);

  older.child.kill('SIGTERM');
  expect(await older.ended).toBe(0);
  await more('newer');
  publishing = false;
  await Promise.all(load);
  const all = [...acknowledged.values()].flat();
  const missing = () => {
    const arrived = new Set(receiver.at(hook).map(({ event }) => event.id));
    return all.filter((id) => !arrived.has(id));
  };
  await expect.poll(missing).toEqual([]);
  expect(receiver.refused).toEqual([]);
  const verified = launch(environment, ['audit', 'verify'], { checkout });
  expect([await verified.ended, verified.lines.at(-1)]).toEqual([0, 'The audit log is as it was written.']);

  // It refuses to start on a schema that it does not know.
  const again = launch(environmentOf('older'));
  expect([await again.ended, again.lines.join('\n')]).toEqual([
    1,
    expect.stringContaining('which this Concord does not have'),
  ]);
  newer.child.kill('SIGTERM');
  await newer.ended;
});

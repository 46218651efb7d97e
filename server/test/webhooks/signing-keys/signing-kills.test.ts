// A process that is killed around a group of signatures loses no delivery, and sends none twice that was not in flight.
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { moduleFile } from '@concord/p384-signer';
import { expect, it, onTestFinished } from 'vitest';
import { expectStatus, stock, times } from '../../stage/cast.ts';
import { arrivals, type KillStage, startKillStage } from '../../stage/kill-stage.ts';
import { kill } from '../../stage/launch.ts';
import { createPeers } from '../../stage/peers.ts';
import { startStatementGate } from '../../stage/statement-gate.ts';
import { createWebhookPartner } from '../../stage/webhook-stage.ts';
import { type Stage, startSignerGate } from '../signer-gate.ts';

const events = 3;
/** More than one task of the signer, and each kind of lane. */
const kinds: readonly object[] = [
  ...times(18, () => ({})),
  { ordering: 'strict' },
  { batch: { max_events: 2, max_wait_seconds: 0 } },
];

/** A partner whose endpoints each get every event. `holds`: receivers give no answer. */
async function addEndpoints({ service, receiver }: KillStage, holds: () => boolean) {
  const held: ServerResponse[] = [];
  const urls = kinds.map(() =>
    receiver.url((_, response) => (holds() ? void held.push(response) : response.writeHead(204).end())),
  );
  const partner = await createWebhookPartner(service, urls[0]!, kinds[0]);
  for (const [index, terms] of kinds.entries())
    if (index > 0)
      await expectStatus(201, partner.send('POST', 'webhook-endpoints', { url: urls[index], ...terms }));
  return { partner, urls, held };
}

type Victim = Awaited<ReturnType<KillStage['startVictim']>>;
const publish = ({ request }: Victim, partner: { id: string }) =>
  expectStatus(
    202,
    request(
      `/partners/${partner.id}/events/batch`,
      times(events, (index) => stock(index)),
    ),
  );

/** Each endpoint got every event once, a strict one in the order of the feed. */
async function expectEachOnce(
  { receiver, feed, settled }: KillStage,
  partner: { id: string },
  urls: string[],
) {
  await settled();
  const all = await feed(partner.id);
  expect(all).toHaveLength(events);
  for (const [index, url] of urls.entries()) {
    const arrived = arrivals(receiver.at(url));
    const isStrict = 'ordering' in kinds[index]!;
    expect(isStrict ? arrived : arrived.toSorted()).toEqual(isStrict ? all : all.toSorted());
  }
}

it('W14, W18: deliveries of lanes that killed processes claimed, or read, are each sent once by the next one', async () => {
  const stage = await startKillStage();
  const gate = await startStatementGate(stage.service.database.url);
  onTestFinished(gate.close);
  const { partner, urls } = await addEndpoints(stage, () => false);
  await partner.publishMany(events);
  for (const stop of [
    { at: 'answered', statements: ['claim lanes'] },
    { at: 'before', statements: ['select due deliveries'] },
    { at: 'answered', statements: ['select due deliveries'] },
  ] as const) {
    const reached = gate.stopAt(stop);
    const victim = await stage.startVictim({ DATABASE_URL: gate.url });
    await reached;
    await kill(victim.child);
    expect(await stage.sql('select from lane where owner is null')).toEqual([]);
    await stage.endLeases();
  }
  expect(stage.receiver.received).toEqual([]);
  const next = await stage.takeOver();
  await expectEachOnce(stage, partner, urls);
  await next.stop();
});

it.skipIf(!existsSync(moduleFile)).each<[what: string, stage: Stage]>([
  ['while the signer makes them', 'handed'],
  ['before the process gets them', 'signed'],
])(
  'W14, W18, W34: signatures of a group are lost with the process that is killed %s; each delivery is sent once',
  async (_, signing) => {
    const stage = await startKillStage();
    const { receiver, sql } = stage;
    const { partner, urls } = await addEndpoints(stage, () => false);
    const gate = await startSignerGate();
    const victim = await stage.startVictim(gate.environment);
    // Signatures that are made alone pass, so some deliveries can be done.
    gate.hold(signing, (size) => size > 1);
    await publish(victim, partner);
    await expect.poll(gate.held).toBeGreaterThan(1);
    // Whatever passed is recorded, so nothing is in flight.
    const open = async () => {
      const [{ recorded }] = await sql('select count(*)::int as recorded from attempt');
      return [gate.passing() - receiver.received.length, arrivals(receiver.received).length - recorded];
    };
    await expect.poll(open).toEqual([0, 0]);
    await kill(victim.child);
    expect(await open()).toEqual([0, 0]);
    const next = await stage.takeOver();
    await expectEachOnce(stage, partner, urls);
    await next.stop();
  },
);

it('W14, W18: signed requests that are not sent when the process is killed are each sent once', async () => {
  const stage = await startKillStage();
  const { partner, urls } = await addEndpoints(stage, () => false);
  const proxy = await startHoldingProxy();
  const victim = await stage.startVictim({ CONCORD_WEBHOOK_PROXY_URL: proxy.url });
  await publish(victim, partner);
  // The first request of each lane. A request is signed before its connection is made.
  await expect.poll(() => proxy.asked).toBe(kinds.length);
  await kill(victim.child);
  expect(stage.receiver.received).toEqual([]);
  const next = await stage.takeOver();
  await expectEachOnce(stage, partner, urls);
  await next.stop();
});

it('W14, W18: requests of a group that have no answer when the process is killed are each sent once more', async () => {
  const stage = await startKillStage();
  let holds = true;
  const { partner, urls, held } = await addEndpoints(stage, () => holds);
  const victim = await stage.startVictim();
  await publish(victim, partner);
  await expect.poll(() => held.length).toBe(kinds.length);
  const inFlight = urls.map((url) => stage.receiver.at(url)[0]!);
  await kill(victim.child);
  holds = false;
  const next = await stage.takeOver();
  await stage.settled();
  const all = await stage.feed(partner.id);
  for (const [index, url] of urls.entries()) {
    const twice = arrivals([inFlight[index]!]);
    expect(arrivals(stage.receiver.at(url)).toSorted()).toEqual([...all, ...twice].toSorted());
    const again = stage.receiver
      .at(url)
      .filter(({ headers }) => headers['webhook-id'] === inFlight[index]!.headers['webhook-id']);
    expect(again.map(({ attempt, body }) => [attempt, String(body)])).toEqual(
      Array(2).fill([1, String(inFlight[index]!.body)]),
    );
  }
  await next.stop();
});

/** A proxy that gets requests for connections, and answers none. */
async function startHoldingProxy() {
  const peers = createPeers();
  onTestFinished(peers.closeAll);
  const state = { asked: 0, url: '' };
  const server = createServer();
  server.on('connect', () => {
    state.asked++;
  });
  state.url = `http://127.0.0.1:${await peers.listen(server)}`;
  return state;
}

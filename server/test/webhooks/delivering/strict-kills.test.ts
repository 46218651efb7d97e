// A process that is killed, or loses its database, around the hand-over of a strict lane keeps the order, skips
// nothing, and repeats only a delivery whose result it had not recorded.

import { existsSync } from 'node:fs';
import { moduleFile } from '@concord/p384-signer';
import { expect, it, onTestFinished } from 'vitest';
import { times } from '../../stage/cast.ts';
import { type KillStage, startKillStage } from '../../stage/kill-stage.ts';
import { kill } from '../../stage/launch.ts';
import type { Received } from '../../stage/receiver.ts';
import { type StatementGate, startStatementGate } from '../../stage/statement-gate.ts';
import { createWebhookPartner, quantities, startWorkerHere } from '../../stage/webhook-stage.ts';
import { startSignerGate } from '../signer-gate.ts';

const events = 7;
const endpoints: Record<string, object> = {
  alone: { ordering: 'strict' },
  'in batches': { ordering: 'strict', batch: { max_events: 2, max_wait_seconds: 0 } },
};
type Point = { readonly stop: Parameters<StatementGate['stopAt']>[0]; readonly isRecorded: boolean };
/** Where the transaction that records a result, and reads what is next, stops. */
const points: Record<string, Point> = {
  'before the result is recorded': {
    stop: { at: 'before', statements: ['record results'] },
    isRecorded: false,
  },
  'before the next delivery is read': {
    stop: { at: 'before', statements: ['record results', 'select due deliveries'] },
    isRecorded: false,
  },
  'before the commit of the result': {
    stop: { at: 'before', statements: ['record results', 'commit'] },
    isRecorded: false,
  },
  'between the commit of the result and its answer': {
    stop: { at: 'answered', statements: ['record results', 'commit'] },
    isRecorded: true,
  },
};

const kills: Record<string, Partial<Point>> = { 'between the send and its answer': {}, ...points };

async function setUp() {
  const stage = await startKillStage();
  const gate = await startStatementGate(stage.service.database.url);
  onTestFinished(gate.close);
  return { stage, gate };
}

const namesOf = (requests: readonly Received[]) => requests.map(({ headers }) => headers['webhook-id']);

/** Every event came in order. `repeated`: the numbers of the requests that came twice. */
async function expectOrder(stage: KillStage, url: string, repeated: readonly number[]) {
  await stage.settled();
  const requests = stage.receiver.at(url);
  const first = [...Map.groupBy(requests, ({ headers }) => headers['webhook-id']).values()].map(
    ([one]) => one!,
  );
  const expected = namesOf(first).flatMap((name, index) =>
    repeated.includes(index) ? [name, name] : [name],
  );
  expect(namesOf(requests)).toEqual(expected);
  expect(quantitiesOf(first)).toEqual(times(events, (index) => index));
  expect(requests.map(({ attempt }) => attempt)).toEqual(requests.map(() => 1));
}
const quantitiesOf = (requests: readonly Received[]) =>
  requests.flatMap((each) => quantities(each.events.map((event) => ({ ...each, event }))));

it('W17, W18: processes that are killed around the results of strict deliveries keep the order, alone and in batches; only what was not recorded comes twice', async () => {
  const { stage, gate } = await setUp();
  for (const [how, terms] of Object.entries(endpoints)) {
    let wanted = 0;
    let holds = false;
    const url = stage.receiver.url((_, response) => {
      if (!holds || stage.receiver.at(url).length < wanted) response.writeHead(204).end();
    });
    const partner = await createWebhookPartner(stage.service, url, terms);
    await partner.publishMany(events);
    const repeated: number[] = [];
    for (const [when, { stop, isRecorded }] of Object.entries(kills)) {
      // Whatever stops before the commit is rolled back, in batches too.
      if (how !== 'alone' && !when.includes('commit')) continue;
      // One whose result is recorded, and the next one.
      wanted += 2;
      holds = stop === undefined;
      const first = gate.stopAt({ at: 'sent', statements: ['record results', 'commit'] });
      const victim = await stage.startVictim({ DATABASE_URL: gate.url });
      await first;
      await (stop ? gate.stopAt(stop) : stage.receiver.count(url, wanted));
      await kill(victim.child);
      expect(stage.receiver.at(url), `${how}, ${when}`).toHaveLength(wanted);
      if (!isRecorded) repeated.push(repeated.length + 1);
      await stage.endLeases();
    }
    holds = false;
    const next = await stage.takeOver();
    await expectOrder(stage, url, repeated);
    await next.stop();
  }
});

it.skipIf(!existsSync(moduleFile))(
  'W17, W18: processes are killed when a result is recorded and the next strict delivery is being signed, or is signed and not sent: nothing comes twice',
  async () => {
    const { stage } = await setUp();
    const url = stage.receiver.url();
    const partner = await createWebhookPartner(stage.service, url, endpoints.alone);
    await partner.publishMany(events);
    for (const [index, signing] of (['handed', 'signed'] as const).entries()) {
      const signer = await startSignerGate();
      let signatures = 0;
      // The start signs two at once.
      signer.hold(signing, (size) => size === 1 && ++signatures === 3);
      const victim = await stage.startVictim(signer.environment);
      await expect.poll(signer.held).toBe(1);
      await kill(victim.child);
      expect(stage.receiver.at(url)).toHaveLength(2 * (index + 1));
      await stage.endLeases();
    }
    const next = await stage.takeOver();
    await expectOrder(stage, url, []);
    await next.stop();
  },
);

it('W14, W17: a process that loses its database around the result of a strict delivery repeats none, and keeps the order', async () => {
  const { stage, gate } = await setUp();
  await startWorkerHere(stage.service, { DATABASE_URL: gate.url });
  for (const terms of Object.values(endpoints)) {
    for (const { stop } of Object.values(points)) {
      const url = stage.receiver.url();
      const partner = await createWebhookPartner(stage.service, url, terms);
      const reached = gate.stopAt(stop);
      await partner.publishMany(events);
      await reached;
      gate.cut();
      await expectOrder(stage, url, []);
    }
  }
});

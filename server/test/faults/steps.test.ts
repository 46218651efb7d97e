// Kills of a program at its statements, under load: before PostgreSQL gets one, and before the program gets its answer.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { expectStatus, stock } from '../stage/cast.ts';
import { arrivals, settled, startGated, startKillStage } from '../stage/kill-stage.ts';
import { kill } from '../stage/launch.ts';
import { startStatementGate } from '../stage/statement-gate.ts';
import { createWebhookPartner } from '../stage/webhook-stage.ts';
import { expectAllDelivered, expectFeed, makeLoad, random, seconds } from './load.ts';

it('O60, C2, W14, W17: a connection falls silent at a commit: the event is published once, the strict delivery is not repeated, and others go on', {
  timeout: 180_000,
}, async () => {
  const { service, receiver, gate } = await startGated();
  const url = receiver.url();
  const partner = await createWebhookPartner(service, url, { ordering: 'strict' });
  const publish = () => partner.send('POST', 'events', stock(), { 'idempotency-key': 'once' });
  const published = gate.stopAt({ at: 'answered', statements: ['insert events', 'commit'] });
  const recorded = gate.stopAt({ at: 'answered', statements: ['record results', 'commit'] });
  const first = publish();
  await Promise.all([published, recorded]);
  await expectStatus(500, first);
  await expectStatus(202, publish());
  await partner.publish();
  await settled(service);
  expect(arrivals(receiver.at(url))).toHaveLength(2);
  expect(new Set(arrivals(receiver.at(url))).size).toBe(2);
});

/** Some statements run only at the start, or seldom. */
const patienceMs = 2_000;
/** More than the start of a program takes, with its first deliveries. */
const loadedMs = 500;

it('C2, W14, W17, W18: a program that is killed at any of its statements loses nothing, and keeps the order', {
  timeout: (seconds ?? 0) * 2_000 + 180_000,
}, async () => {
  const stage = await startKillStage();
  const { service, receiver } = stage;
  const gate = await startStatementGate(service.database.url);
  onTestFinished(gate.close);
  const start = () => stage.startVictim({ DATABASE_URL: gate.url });
  let victim = await start();
  const load = await makeLoad((path, body) => victim.request(path, body), receiver);
  await load.recovered();
  const stopped = new Map<string, number>();
  while (load.goesOn()) {
    await pause(loadedMs);
    const name = random.pick([...gate.names].toSorted());
    const at = random.pick(['before', 'answered'] as const);
    const reached = gate.stopAt({ at, statements: [name ?? ''] }).then(() => true);
    if (await Promise.race([reached, pause(patienceMs, false)])) {
      const what = `${at} ${name}`;
      stopped.set(what, (stopped.get(what) ?? 0) + 1);
    }
    await kill(victim.child);
    load.killed('the program');
    gate.forget();
    await stage.endLeases();
    victim = await start();
  }
  await load.recovered();
  await load.end();
  await expectAllDelivered(load, receiver);
  await expectFeed(load, (path) => service.get(path));
  await expect
    .poll(() => stage.sql(`select from lane where owner is not null or next_at < 'infinity'`))
    .toEqual([]);
  await kill(victim.child);
  process.stdout.write(`${[...stopped].map(([what, times]) => `${times} x ${what}`).join(', ')}\n`);
});

// The entry point of events about the platform (behaviour W66): its partner, and the tasks that publish what the
// triggers wrote.
import { systemActor } from '../../audit/index.ts';
import type { Feature } from '../../base/feature.ts';
import { formatId } from '../../base/ids.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { createOwnPartner } from '../../partners/index.ts';
import type { Draft, Webhooks } from '../../webhooks/index.ts';
import * as store from './store.ts';

const inBatch = 100;
const batchesInRun = 50;

type Options = { db: Database; isOn: boolean; publish: Webhooks['publishOwn'] };

export function createPlatformEvents({ db, isOn, publish }: Options): Feature {
  const announcing: ScheduledTask = {
    name: 'announce what time brought',
    intervalMs: 5_000,
    run: store.announceWhatTimeBrought,
  };
  const publishing: ScheduledTask = {
    name: 'publish platform events',
    intervalMs: 1_000,
    hasWork: store.hasEvents,
    run: (tx) => publishSome(tx, publish),
  };
  return {
    tasks: isOn ? [announcing, publishing] : [],
    start: () => db.transaction((tx) => prepare(tx, isOn)),
  };
}

async function prepare(tx: Transaction, isOn: boolean): Promise<void> {
  await store.lockPlatformPartner(tx);
  if ((await store.switchPublishing(tx, isOn)) || !isOn) return;
  const actor = systemActor('prepare platform events');
  await store.insertPlatformPartner(tx, await createOwnPartner(tx, actor, 'Platform'));
}

/** The events commit before their rows are deleted. The producer id keeps a repetition from publishing again. */
async function publishSome(tx: Transaction, publish: Options['publish']): Promise<void> {
  await store.deleteOrphans(tx);
  for (let batch = 0; batch < batchesInRun; batch++) {
    const events = await store.selectEvents(tx, inBatch);
    const [first] = events;
    if (first === undefined) return;
    await publish(first.partner_id, events.map(toDraft));
    await store.deleteEvents(
      tx,
      events.map(({ position }) => position),
    );
  }
}

const kinds = {
  partner_id: 'partner',
  endpoint_id: 'webhook_endpoint',
  delivery_id: 'delivery',
  event_id: 'event',
  agreement_id: 'agreement',
} as const;

/** The data in wire format. The triggers write bare UUIDs, and times as PostgreSQL does. */
function toDraft({ id, type, data, occurred_at }: store.PlatformEvent): Draft {
  const members = Object.entries(data).map(([name, value]) => {
    const kind = kinds[name as keyof typeof kinds];
    if (kind !== undefined) return [name, formatId(kind, String(value))];
    return [name, name === 'failing_since' ? new Date(String(value)).toISOString() : value];
  });
  const text = JSON.stringify({ occurred_at: occurred_at.toISOString(), ...Object.fromEntries(members) });
  return { type, environment: 'live', producerId: id, data: text };
}

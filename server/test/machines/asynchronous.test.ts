// The same hosts with an asynchronous replica: a planned switch loses nothing, and a failover loses at most
// what the replica did not have.
import { expect, it } from 'vitest';
import type { Load } from './load.ts';
import { promote, recovery, under, useWorld } from './stage.ts';

const stage = useWorld({ isSynchronous: false });

/** Waits until the replica has everything that the primary has at this moment. */
async function untilReplicated() {
  const { primary } = stage.world.database;
  const [{ lsn }] = await primary.sql('select pg_current_wal_lsn()::text as lsn');
  const has = () =>
    primary
      .sql('select flush_lsn >= $1::pg_lsn as has from pg_stat_replication', [lsn])
      .then(([row]) => row?.has);
  await expect.poll(has).toBe(true);
}

/** Waits until new connections are read-only, and until the transactions that began before have ended. */
async function untilReadOnly() {
  const { primary } = stage.world.database;
  const setting = () => stage.world.sql('show default_transaction_read_only').then(([row]) => row);
  await expect.poll(setting).toEqual({ default_transaction_read_only: 'on' });
  const [{ now }] = await primary.sql('select clock_timestamp()::text as now');
  const older = `select pid from pg_stat_activity where datname = 'concord' and xact_start <= $1::timestamptz`;
  await expect.poll(() => primary.sql(older, [now])).toEqual([]);
}

async function failOver(load: Load, cutOff: (() => Promise<void>) | null) {
  const { database } = stage.world;
  const known = [...load.answers];
  await untilReplicated();
  const replicated = new Set(known.map(({ id }) => id));
  return load.during(async () => {
    const cutAt = performance.now();
    await cutOff?.();
    await database.primary.kill();
    const since = performance.now();
    await database.replica.host.setLink('up');
    await promote(stage.world);
    const counts = {
      'the replica was behind for, ms': cutOff ? Math.round(since - cutAt) : 'as long as usual',
      ...(await recovery(load, since)),
    };
    return { counts, mayLose: ({ id }: { id: string | undefined }) => !replicated.has(id) };
  });
}

it('I9: a planned switch to the replica loses nothing, although the old primary keeps its connections', async () => {
  const { database, relay } = stage.world;
  await under('A planned switch, the old primary read-only', stage.world, (load) =>
    load.during(async () => {
      const since = performance.now();
      const old = database.primary;
      await old.sql('alter system set default_transaction_read_only = on');
      await old.sql('select pg_reload_conf()');
      await untilReadOnly();
      await untilReplicated();
      await database.replica.sql('select pg_promote()');
      relay.to(database.replica.url);
      database.primary = database.replica;
      const counts = await recovery(load, since);
      await old.stop();
      return { counts };
    }),
  );
});

it('I9: a planned switch loses nothing when the old primary is shut down first', async () => {
  await stage.world.replaceReplica();
  await under('A planned switch, the old primary shut down', stage.world, (load) =>
    load.during(async () => {
      const since = performance.now();
      await stage.world.database.primary.stop();
      await promote(stage.world);
      return { counts: await recovery(load, since) };
    }),
  );
});

it('I12: a failover to an asynchronous replica loses at most what the replica did not have', async () => {
  await stage.world.replaceReplica();
  await under('The primary killed, asynchronous replication', stage.world, (load) => failOver(load, null));
});

it('I12: it loses the events of the time in which the replica was behind, and delivers all others', async () => {
  await stage.world.replaceReplica();
  const counts = await under('The primary killed, the replica behind', stage.world, (load) =>
    failOver(load, async () => {
      await stage.world.database.replica.host.setLink('down');
      await load.flows(5);
    }),
  );
  expect(counts.lost).toBeGreaterThan(0);
});

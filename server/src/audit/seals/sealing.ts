// Seals committed rows every second, and drops the rows whose retention has ended.
import type { Transaction } from '../../postgres/database.ts';
import type { ScheduledTask } from '../../postgres/scheduled-tasks.ts';
import { readClock } from '../../postgres/sql/clock.ts';
import type { SealKeys } from './keys.ts';
import { macOfDrop, macOfRow, macOfSeal, type Seal } from './seal.ts';
import * as store from './store.ts';

/** The MACs of so many rows take a few milliseconds, in which the process answers nothing else. */
const maxRowsPerSeal = 1_000;
/** A backlog is sealed in several runs, so that one transaction stays short. */
const maxSealsPerRun = 20;
const maxDropsPerRun = 20;

/** The task's row admits one instance at a time, so seals form one chain. */
export const createSealing = (keys: SealKeys): ScheduledTask => ({
  name: 'seal the audit log',
  intervalMs: 1_000,
  hasWork: store.hasUnsealed,
  async run(tx) {
    let previous: Seal | undefined = await store.selectLastSeal(tx);
    for (let count = 0; count < maxSealsPerRun; count++) {
      const seal = await sealNext(tx, keys, previous);
      if (seal === null) return;
      previous = seal;
    }
  },
});

/** Null: every row has a seal. */
async function sealNext(tx: Transaction, keys: SealKeys, previous: Seal | undefined): Promise<Seal | null> {
  const rows = await store.takeUnsealed(tx, maxRowsPerSeal);
  if (rows.length === 0) return null;
  const key = requireKey(keys, keys.currentVersion);
  const content = {
    id: String(BigInt(previous?.id ?? 0) + 1n),
    positions: rows.map(({ position }) => position),
    rowMacs: Buffer.concat(rows.map((row) => macOfRow(key, row))),
    secretVersion: keys.currentVersion,
    sealedAt: await readClock(tx),
  };
  const seal = { ...content, mac: macOfSeal(key, previous?.mac ?? null, content) };
  await store.insertSeal(tx, seal);
  return seal;
}

/** Deletes the rows of a seal when `retentionMs` have passed since it was made. The seal stays. */
export const createRetention = (keys: SealKeys, retentionMs: number): ScheduledTask => ({
  name: 'drop old audit rows',
  intervalMs: 60_000,
  async run(tx) {
    const now = await readClock(tx);
    for (const seal of await store.selectDroppable(tx, new Date(now.getTime() - retentionMs), maxDropsPerRun))
      await store.dropRows(tx, seal, now, macOfDrop(requireKey(keys, seal.secretVersion), seal, now));
  },
});

function requireKey(keys: SealKeys, version: number): Buffer {
  const key = keys.of(version);
  if (key === undefined) throw new Error(`Version ${version} of the secrets is not configured`);
  return key;
}

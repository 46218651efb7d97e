// Seals committed rows every second, and drops the rows whose retention has ended.

import type { Secret } from '../../base/config-values.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { isSameSecret } from '../../base/secrets/index.ts';
import { erasing } from '../store.ts';
import {
  createSealKeys,
  isReadable,
  macOfDrop,
  macOfRow,
  macOfSeal,
  type Seal,
  type SealKeys,
} from './seal.ts';
import * as store from './store.ts';

/** More would block the event loop for longer than a few milliseconds. */
const maxRowsPerSeal = 1_000;
/** Keeps the transaction short. */
const maxSealsPerRun = 20;
const maxDropsPerRun = maxSealsPerRun;

/** The task's row admits one instance at a time, so seals form one chain. */
function createSealing(keys: SealKeys): ScheduledTask {
  /** The last seal that this process has made. */
  let known: Seal | undefined;
  return {
    name: 'seal the audit log',
    intervalMs: 1_000,
    hasWork: store.hasUnsealed,
    async run(tx) {
      if (known) await requireSeal(tx, known);
      let previous: Seal | undefined = await store.selectLastSeal(tx);
      for (let count = 0; count < maxSealsPerRun; count++) {
        const seal = await sealNext(tx, keys, previous);
        if (seal === null) break;
        previous = seal;
        // What commits meanwhile waits for the next run.
        if (seal.positions.length < maxRowsPerSeal) break;
      }
      tx.afterCommit(() => {
        known = previous;
      });
    },
  };
}

/** Otherwise somebody could remove the last seals and have changed rows sealed again. */
async function requireSeal(tx: Transaction, { id, mac }: Seal): Promise<void> {
  const [seal] = await store.selectSealsAfter(tx, String(BigInt(id) - 1n), 1);
  if (seal?.id === id && isSameSecret(seal.mac, mac)) return;
  throw new Error(
    `Seal ${id} of the audit log was changed or removed. This process seals no more rows: run \`audit verify\`.`,
  );
}

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

/** Deletes the rows of old seals. The seals stay. */
const createRetention = (keys: SealKeys, retentionMs: number): ScheduledTask => ({
  name: 'drop old audit rows',
  // As often as the sealing, and as many seals, so that it keeps up.
  intervalMs: 1_000,
  hasWork: async (on) => (await store.selectDroppable(on, retentionMs, 1)).length > 0,
  async run(tx) {
    const now = await readClock(tx);
    for (const [index, seal] of (await store.selectDroppable(tx, retentionMs, maxDropsPerRun)).entries()) {
      const key = requireKey(keys, seal.secretVersion);
      // Somebody may have made the seal older, to have its rows dropped.
      if (!isReadable(seal) || !isSameSecret(macOfSeal(key, seal.previousMac, seal), seal.mac)) {
        if (index > 0) return;
        throw new Error(
          `Seal ${seal.id} of the audit log is broken, so rows are kept from there on: run \`audit verify\`.`,
        );
      }
      await store.dropRows(tx, seal, now, macOfDrop(key, seal, now));
    }
  },
});

function requireKey(keys: SealKeys, version: number): Buffer {
  const key = keys.of(version);
  if (key === undefined) throw new Error(`Version ${version} of the secrets is not configured`);
  return key;
}

/** `retentionMs` null: rows are kept for ever. */
type Options = { secrets: readonly Secret[]; retentionMs: number | null };

export function createAuditTasks({ secrets, retentionMs }: Options): ScheduledTask[] {
  const keys = createSealKeys(secrets);
  return [
    createSealing(keys),
    erasing,
    ...(retentionMs === null ? [] : [createRetention(keys, retentionMs)]),
  ];
}

// What was pending in a restored backup waits until an operator chooses to send it or to give it up.
import { type Actor, changesBetween, recordAction } from '../../../audit/index.ts';
import { countRestoredMails, dropRestoredMails, sendRestoredMails } from '../../../base/mail/index.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import type { ScheduledTask } from '../../../base/postgres/scheduled-tasks.ts';
import type { Choice, Restored } from './schema.ts';
import * as store from './store.ts';

export async function readRestored(on: Queryable): Promise<Restored> {
  const restore = await store.selectRestore(on);
  if (!restore) return { state: 'none', deliveries: 0, mails: 0, taken_at: null, restored_at: null };
  return {
    state: restore.choice === null ? 'waiting' : restore.choice === 'send' ? 'sending' : 'failing',
    deliveries: await store.countRestored(on),
    mails: await countRestoredMails(on),
    taken_at: restore.taken_at.toISOString(),
    restored_at: restore.restored_at.toISOString(),
  };
}

/** A later choice replaces an earlier one for what still waits. */
export async function chooseRestored(tx: Transaction, actor: Actor, choice: Choice): Promise<void> {
  const restore = await store.lockRestore(tx);
  if (!restore || restore.choice === choice) return;
  const { deliveries, mails, taken_at } = await readRestored(tx);
  await store.updateChoice(tx, choice);
  await recordAction(tx, {
    actor,
    partnerId: null,
    action: `held_deliveries.${choice}`,
    target: null,
    details: { deliveries, mails, taken_at },
    changes: changesBetween({ choice: restore.choice }, { choice }),
  });
}

export async function releaseSome(tx: Transaction): Promise<boolean> {
  const restore = await store.lockRestore(tx);
  if (!restore?.choice) return false;
  const isLast =
    restore.choice === 'send'
      ? (await store.sendBatch(tx)) + (await sendRestoredMails(tx)) === 0
      : (await store.failSome(tx)) && (await dropRestoredMails(tx)) === 0;
  if (isLast) await store.endRestore(tx, restore);
  return !isLast;
}

export const releaseRestored: ScheduledTask = {
  name: 'release held deliveries',
  intervalMs: 1_000,
  hasWork: async (on) => ((await store.selectRestore(on))?.choice ?? null) !== null,
  run: async (tx) => void (await releaseSome(tx)),
};

// What waited in a restored backup is held, until an operator chooses to send it or to give it up.
import { type Actor, changesBetween, recordAction } from '../../../audit/index.ts';
import { countHeldMails, dropHeldMails, sendHeldMails } from '../../../base/mail/index.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import type { ScheduledTask } from '../../../base/postgres/scheduled-tasks.ts';
import type { Choice, HeldDeliveries } from './schema.ts';
import * as store from './store.ts';

const states = { send: 'sending', fail: 'failing' } as const;
const stateOf = (choice: Choice | null) => (choice === null ? 'waiting' : states[choice]);

export async function readHeld(on: Queryable): Promise<HeldDeliveries> {
  const held = await store.selectHeld(on);
  if (!held) return { state: 'none', deliveries: 0, mails: 0, taken_at: null, restored_at: null };
  return {
    state: stateOf(held.choice),
    deliveries: await store.countHeld(on),
    mails: await countHeldMails(on),
    taken_at: held.taken_at.toISOString(),
    restored_at: held.restored_at.toISOString(),
  };
}

/** A later choice replaces an earlier one for what is still held. Without anything held, nothing changes. */
export async function chooseHeld(tx: Transaction, actor: Actor, choice: Choice): Promise<void> {
  const held = await store.lockHeld(tx);
  if (!held || held.choice === choice) return;
  const { deliveries, mails, taken_at } = await readHeld(tx);
  await store.updateChoice(tx, choice);
  await recordAction(tx, {
    ...{ actor, partnerId: null, action: `held_deliveries.${choice}`, target: null },
    details: { deliveries, mails, taken_at },
    changes: changesBetween({ choice: held.choice }, { choice }),
  });
}

/** A bounded part of the work. Returns whether there is more. */
export async function releaseSome(tx: Transaction): Promise<boolean> {
  const held = await store.lockHeld(tx);
  if (!held?.choice) return false;
  const isLast =
    held.choice === 'send'
      ? (await store.sendBatch(tx)) + (await sendHeldMails(tx)) === 0
      : (await store.failSome(tx)) && (await dropHeldMails(tx)) === 0;
  if (isLast) await store.endHold(tx, held);
  return !isLast;
}

export const releaseHeld: ScheduledTask = {
  name: 'release held deliveries',
  intervalMs: 1_000,
  hasWork: async (on) => ((await store.selectHeld(on))?.choice ?? null) !== null,
  run: async (tx) => void (await releaseSome(tx)),
};

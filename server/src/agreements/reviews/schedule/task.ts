// Opens reviews, warns the owners, and ends what nobody confirmed: one partner and one step in a run, so that
// nobody waits long for the lock of the partner. A run that found something is followed by another at once.
import { lockPartner } from '../../../access/index.ts';
import { systemActor } from '../../../audit/index.ts';
import { formatId, newUuid } from '../../../base/ids.ts';
import { type EnqueueMail, mails } from '../../../base/mail/index.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import type { ScheduledTask } from '../../../base/postgres/scheduled-tasks.ts';
import { selectOwnerEmails } from '../../store.ts';
import { closeIfDone, endAndRecord, recordReview } from '../reviews.ts';
import { decide, selectReview } from '../store.ts';
import * as store from './store.ts';

/** Agreements that one run ends. */
const maxInRun = 100;
/** Owners who get a mail. */
const maxMailed = 50;

const name = 'run access reviews';
const actor = systemActor(name);

type Told = { partnerId: string; partner: string; reviewId: string; endsAt: Date };

export function createReviewTask(options: { enqueueMail: EnqueueMail; baseUrl: string }): ScheduledTask {
  const { enqueueMail, baseUrl } = options;

  async function tellOwners(
    tx: Transaction,
    emails: readonly string[],
    what: 'opened' | 'warned',
    told: Told,
  ) {
    const { partnerId, reviewId, ...words } = told;
    const { agreements } = await selectReview(tx, reviewId);
    const page = `${baseUrl}/console/p/${formatId('partner', partnerId)}/access-reviews/${formatId('access_review', reviewId)}?decision=pending`;
    for (const to of emails)
      await enqueueMail(tx, mails.accessReview(to, { ...words, what, pending: agreements.pending, page }));
  }

  /** False: there is none to open. */
  async function open(tx: Transaction) {
    const policy = await store.lockOpening(tx);
    if (!policy) return false;
    const { partner_id: partnerId, partner_name: partner } = policy;
    const reviewId = newUuid();
    const endsAt = await store.insertReview(tx, reviewId, partnerId);
    await recordReview(tx, actor, { partnerId, reviewId }, 'open');
    await tellOwners(tx, await readOwners(tx, partnerId), 'opened', { partnerId, partner, reviewId, endsAt });
    return true;
  }

  /** Nothing ends before this. */
  async function warn(tx: Transaction, row: store.DueReview, owners: readonly string[]) {
    const { review_id: reviewId, partner_id: partnerId, partner_name: partner } = row;
    const endsAt = await store.setWarned(tx, reviewId);
    await recordReview(tx, actor, { partnerId, reviewId }, 'warn');
    await tellOwners(tx, owners, 'warned', { partnerId, partner, reviewId, endsAt });
  }

  async function step(tx: Transaction, found: { id: string; partner_id: string }) {
    await lockPartner(tx, found.partner_id);
    const row = await store.lockDue(tx, found.id);
    if (!row) return;
    if (await closeIfDone(tx, actor, row)) return;
    const owners = await readOwners(tx, row.partner_id);
    // Nobody could confirm anything: it is tried again in a day.
    if (owners.length === 0) return store.postpone(tx, row.review_id);
    // After downtime, owners get all their days again.
    if (row.warned_at === null || row.late) return warn(tx, row, owners);
    await end(tx, row);
    await closeIfDone(tx, actor, row);
  }

  return {
    name,
    intervalMs: 1_000,
    hasWork: store.hasWork,
    async run(tx) {
      const found = await store.findDue(tx);
      if (found) await step(tx, found);
      return (await open(tx)) || found !== undefined;
    },
  };
}

const readOwners = async (tx: Transaction, partnerId: string) =>
  (await selectOwnerEmails(tx, partnerId)).slice(0, maxMailed);

async function end(tx: Transaction, row: store.DueReview) {
  const { review_id: reviewId } = row;
  const ids = await store.selectUndecided(tx, reviewId, maxInRun);
  const last = await store.selectLastOwner(tx, row);
  const ended = await endAndRecord(
    tx,
    actor,
    row,
    ids.filter((id) => id !== last),
  );
  const rest = ids.filter((id) => !ended.includes(id));
  for (const [decision, decided] of [
    ['lapsed', ended],
    ['kept', rest.filter((id) => id === last)],
    ['gone', rest.filter((id) => id !== last)],
  ] as const)
    await decide(tx, reviewId, decided, { decision, userId: null });
}

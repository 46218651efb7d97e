// Mails that warn people before their agreements end. The mail commits with its mark, so each end is warned
// of once.
import { type EnqueueMail, mails } from '../../base/mail/index.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { takeEnding } from './store.ts';

/** The transaction of one run stays short. */
const maxInRun = 500;

export const warnOfEnds = (enqueueMail: EnqueueMail): ScheduledTask => ({
  name: 'warn before agreements end',
  intervalMs: 10 * 60_000,
  async run(tx) {
    const ending = await takeEnding(tx, maxInRun);
    for (const { email, partner, expires_at: endsAt } of ending) {
      await enqueueMail(tx, mails.agreementEnds(email, { partner, endsAt }));
    }
    return ending.length === maxInRun;
  },
});

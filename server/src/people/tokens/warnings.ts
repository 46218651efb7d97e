// Mails that warn users before their access tokens end. The mail commits with its mark, so each end is warned
// of once.
import { type EnqueueMail, mails } from '../../base/mail/index.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { takeEnding } from './store.ts';

/** The transaction of one run stays short. */
const maxInRun = 500;

export const warnOfEnds = (enqueueMail: EnqueueMail): ScheduledTask => ({
  name: 'warn before access tokens end',
  intervalMs: 10 * 60_000,
  async run(tx) {
    const ending = await takeEnding(tx, maxInRun);
    for (const { email, name, prefix, expires_at: endsAt } of ending) {
      await enqueueMail(tx, mails.accessTokenEnds(email, { name, prefix, endsAt }));
    }
    return ending.length === maxInRun;
  },
});

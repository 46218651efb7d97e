// Mails that warn people before something of theirs ends. The mail commits with its mark, so each end is warned of once.

import type { Transaction } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import type { EnqueueMail, Mail } from './mail.ts';

/** The transaction of one run stays short. */
const maxInRun = 500;

type Warning<Ending> = {
  name: string;
  /** Marks and returns at most `limit`. */
  takeEnding: (tx: Transaction, limit: number) => Promise<Ending[]>;
  write: (to: string, ending: Ending) => Mail;
};

export const warningTask = <Ending extends { email: string }>(
  enqueueMail: EnqueueMail,
  { name, takeEnding, write }: Warning<Ending>,
): ScheduledTask => ({
  name,
  intervalMs: 10 * 60_000,
  async run(tx) {
    const ending = await takeEnding(tx, maxInRun);
    for (const each of ending) await enqueueMail(tx, write(each.email, each));
    return ending.length === maxInRun;
  },
});

// Notices: mails that tell users what was changed about their account, so that they learn of changes that
// somebody else made.
import type { FastifyRequest } from 'fastify';
import { type EnqueueMail, mails } from '../../base/mail/index.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import * as users from '../users/store.ts';
import { countNotice, maxNoticesAnHour } from './store.ts';

type Details = {
  userId: string;
  kind: mails.Change;
  /** Default: the address of the user. */
  to?: readonly string[];
};

export type Notices = ReturnType<typeof createNotices>;

export function createNotices(db: Database, enqueue: EnqueueMail) {
  /** Commits with the change. */
  async function tell(tx: Transaction, { ip }: FastifyRequest, { userId, kind, to }: Details) {
    const count = await countNotice(tx, userId, kind);
    if (count > maxNoticesAnHour) return;
    const at = await readClock(tx);
    for (const address of to ?? [await users.selectEmail(tx, userId)]) {
      await enqueue(tx, mails.accountChanged(address, { kind, at, ip, isLast: count === maxNoticesAnHour }));
    }
  }
  return {
    tell,
    /** For a change that better-auth has committed: a failure is logged, because the change remains. */
    tellLate: (request: FastifyRequest, details: Details) =>
      db
        .transaction((tx) => tell(tx, request, details))
        .catch((err: unknown) =>
          request.log.error({ err }, 'a user was not told about a change of their account'),
        ),
  };
}

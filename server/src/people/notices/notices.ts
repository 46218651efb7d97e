// Notices: mails that tell users what was changed about their account, so that they learn of changes that
// somebody else made.
import type { FastifyRequest } from 'fastify';
import { countUse } from '../../base/limits/index.ts';
import { type EnqueueMail, mails } from '../../base/mail/index.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import * as users from '../users/store.ts';

type Details = {
  userId: string;
  kind: mails.Change;
  /** Default: the address of the user. */
  to?: readonly string[];
};

export type Notices = ReturnType<typeof createNotices>;

export function createNotices(db: Database, enqueue: EnqueueMail) {
  /** Commits with the change. `request`: of the user. Null: an operator made the change. */
  async function tell(tx: Transaction, request: FastifyRequest | null, { userId, kind, to }: Details) {
    const admitted = await admit(tx, userId, kind);
    if (!admitted) return;
    const at = await readClock(tx);
    const ip = request?.ip ?? null;
    for (const address of to ?? [await users.selectEmail(tx, userId)]) {
      await enqueue(tx, mails.accountChanged(address, { kind, at, ip, ...admitted }));
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

/** Notices of one kind to one user in an hour. The last one says that it is the last. */
const maxAnHour = 5;

/** Counts a notice. Null: the user gets no further one of this kind in this hour. */
async function admit(tx: Transaction, userId: string, kind: string): Promise<{ isLast: boolean } | null> {
  const { total } = await countUse(tx, 'notice', `${userId} ${kind}`, 60 * 60);
  return total > maxAnHour ? null : { isLast: total === maxAnHour };
}

/** In one order, so that two transactions that count for the same people do not deadlock. */
export async function tellEach(
  tx: Transaction,
  people: readonly { id: string; email: string }[],
  kind: string,
  mail: (email: string, isLast: boolean) => Promise<void>,
): Promise<void> {
  for (const { id, email } of people.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const admitted = await admit(tx, id, kind);
    if (admitted) await mail(email, admitted.isLast);
  }
}

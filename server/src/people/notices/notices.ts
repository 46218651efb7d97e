// Notices: mails that tell users what was changed about their account, so that they learn of changes that
// somebody else made.
import type { FastifyRequest } from 'fastify';
import { type EnqueueMail, mails, whatStays } from '../../base/mail/index.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import * as users from '../users/store.ts';
import { countNotice } from './store.ts';

const resetAtOnce =
  'If it was not you, request a new password at once. That ends every session and every access token of your account.';
const tellOperators = 'If it was not you, tell the operators of this Concord at once.';

/** `what` continues as "... at <time>, from the address <IP>". */
const changes = {
  password_changed: {
    subject: 'Your password was changed',
    what: 'The password of your Concord account was changed',
    ifNotYou: resetAtOnce,
  },
  email_change_requested: {
    subject: 'A new address for your account was requested',
    what: 'A change of the e-mail address of your Concord account was requested',
    ifNotYou:
      'The change takes effect when it is confirmed from the new address. If it was not you, request a new password at once. That stops the change, and ends every session and every access token of your account.',
  },
  email_changed: {
    subject: 'The address of your account was changed',
    what: 'The e-mail address of your Concord account was changed',
    ifNotYou: tellOperators,
  },
  second_factor_enabled: {
    subject: 'A second factor was enabled',
    what: 'The second factor of your Concord account was enabled',
    ifNotYou: tellOperators,
  },
  second_factor_disabled: {
    subject: 'The second factor was disabled',
    what: 'The second factor of your Concord account was disabled',
    ifNotYou: resetAtOnce,
  },
  provider_linked: {
    subject: 'A provider was linked to your account',
    what: 'An account of a sign-in provider was linked to your Concord account',
    ifNotYou: `${resetAtOnce} Then unlink the provider.`,
  },
  provider_unlinked: {
    subject: 'A provider was unlinked from your account',
    what: 'An account of a sign-in provider was unlinked from your Concord account',
    ifNotYou: resetAtOnce,
  },
  access_token_created: {
    subject: 'An access token was created',
    what: 'An access token of your Concord account was created',
    ifNotYou: resetAtOnce,
  },
  user_deleted: {
    subject: 'Your account was deleted',
    what: 'Your Concord account was deleted',
    ifNotYou: `${tellOperators} ${whatStays}`,
  },
} as const;
type NoticeKind = keyof typeof changes;

/** Notices of one kind to one user in an hour. The last one says that it is the last. */
const maxAnHour = 5;

type Details = {
  userId: string;
  kind: NoticeKind /** Default: the address of the user. */;
  to?: readonly string[];
};

export type Notices = {
  /** Commits with the change. */
  tell(tx: Transaction, request: FastifyRequest, details: Details): Promise<void>;
  /** For a change that better-auth has committed: a failure is logged, because the change remains. */
  tellLate(request: FastifyRequest, details: Details): Promise<void>;
};

export function createNotices({ db, enqueue }: { db: Database; enqueue: EnqueueMail }): Notices {
  const tell: Notices['tell'] = async (tx, { ip }, { userId, kind, to }) => {
    const count = await countNotice(tx, userId, kind);
    if (count > maxAnHour) return;
    const at = await readClock(tx);
    for (const address of to ?? [await users.selectEmail(tx, userId)]) {
      await enqueue(
        tx,
        mails.accountChanged(address, { ...changes[kind], at, ip, isLast: count === maxAnHour }),
      );
    }
  };
  return {
    tell,
    tellLate: (request, details) =>
      db
        .transaction((tx) => tell(tx, request, details))
        .catch((err: unknown) =>
          request.log.error({ err }, 'a user was not told about a change of their account'),
        ),
  };
}

// The mails of accounts that hold a link. The link is inserted in the same transaction. Its token is in the
// fragment of the URL, which browsers send to no server, and opening the link changes nothing: its page
// (console/) asks, and then sends a POST.
import { type EnqueueMail, mails } from '../base/mail/index.ts';
import type { Transaction } from '../base/postgres/database.ts';

type Options = { baseUrl: string; enqueue: EnqueueMail };

export function createAccountMail({ baseUrl, enqueue }: Options) {
  const link =
    (page: 'verify' | 'reset' | 'delete', write: typeof mails.verifyAddress) =>
    (tx: Transaction, to: string, token: string) =>
      enqueue(tx, write(to, `${baseUrl}/console/${page}#token=${token}`));
  return {
    /** `token` identifies a pending sign-up. That of the others identifies a link. */
    signUp: link('verify', mails.verifyAddress),
    resetPassword: link('reset', mails.resetPassword),
    changeEmail: link('verify', mails.confirmNewAddress),
    deleteUser: link('delete', mails.confirmDeletion),
    accountExists: (tx: Transaction, to: string) => enqueue(tx, mails.accountExists(to)),
    /** Somebody asked for an address that already has an account. */
    addressTaken: (tx: Transaction, to: string) => enqueue(tx, mails.addressTaken(to)),
  };
}

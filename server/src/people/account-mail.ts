// The mails of accounts that hold a link. The link is inserted in the same transaction. Its token is in the
// fragment of the URL, which browsers send to no server, and opening the link changes nothing: its page
// (console/) asks, and then sends a POST.
import { type EnqueueMail, mails } from '../base/mail/index.ts';
import type { Transaction } from '../base/postgres/database.ts';

type SendLink = (tx: Transaction, to: string, token: string) => Promise<void>;

export type AccountMail = {
  /** `token` identifies a pending sign-up (sign-in/store.ts). */
  signUp: SendLink;
  accountExists(tx: Transaction, to: string): Promise<void>;
  /** `token` identifies a link (mail-links/store.ts). */
  resetPassword: SendLink;
  changeEmail: SendLink;
  deleteUser: SendLink;
  /** Somebody asked for an address that already has an account. */
  addressTaken(tx: Transaction, to: string): Promise<void>;
};

export function createAccountMail({
  baseUrl,
  enqueue,
}: {
  baseUrl: string;
  enqueue: EnqueueMail;
}): AccountMail {
  const urlOf = (page: 'verify' | 'reset' | 'delete', token: string) =>
    `${baseUrl}/console/${page}#token=${token}`;
  return {
    signUp: (tx, to, token) => enqueue(tx, mails.verifyAddress(to, urlOf('verify', token))),
    accountExists: (tx, to) => enqueue(tx, mails.accountExists(to)),
    resetPassword: (tx, to, token) => enqueue(tx, mails.resetPassword(to, urlOf('reset', token))),
    changeEmail: (tx, to, token) => enqueue(tx, mails.confirmNewAddress(to, urlOf('verify', token))),
    deleteUser: (tx, to, token) => enqueue(tx, mails.confirmDeletion(to, urlOf('delete', token))),
    addressTaken: (tx, to) => enqueue(tx, mails.addressTaken(to)),
  };
}

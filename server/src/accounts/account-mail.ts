// The mails of accounts. A mail and the link that it holds commit together.
import { type EnqueueMail, mails } from '../mail/index.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { insertLink } from './sign-in/store.ts';

type Person = { id: string; email: string };

export type AccountMail = {
  /** `token` identifies a pending sign-up (sign-in/store.ts). */
  signUp(tx: Transaction, to: string, token: string): Promise<void>;
  accountExists(tx: Transaction, to: string): Promise<void>;
  /** better-auth issues the tokens of these three. */
  verifyEmail(person: Person, token: string): Promise<void>;
  resetPassword(to: string, token: string): Promise<void>;
  confirmChange(person: Person, newEmail: string, token: string): Promise<void>;
};

type Options = { db: Database; baseUrl: string; enqueue: EnqueueMail };

export function createAccountMail({ db, baseUrl, enqueue }: Options): AccountMail {
  const verifyUrl = (token: string) => `${baseUrl}/api/auth/verify-email?token=${encodeURIComponent(token)}`;
  const sendWithLink = (userId: string, token: string, mail: Parameters<EnqueueMail>[1]) =>
    db.transaction(async (tx) => {
      await insertLink(tx, token, userId);
      await enqueue(tx, mail);
    });

  return {
    signUp: (tx, to, token) => enqueue(tx, mails.verifyAddress(to, verifyUrl(token))),
    accountExists: (tx, to) => enqueue(tx, mails.accountExists(to)),
    verifyEmail: ({ id, email }, token) => sendWithLink(id, token, mails.verifyAddress(email, verifyUrl(token))),
    resetPassword: (to, token) =>
      db.transaction((tx) => enqueue(tx, mails.resetPassword(to, { token, url: `${baseUrl}/api/auth/reset-password` }))),
    confirmChange: ({ id, email }, newEmail, token) =>
      sendWithLink(id, token, mails.confirmAddressChange(email, { newEmail, url: verifyUrl(token) })),
  };
}

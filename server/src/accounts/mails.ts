// What accounts write to people: short, in text and HTML, with the one thing that the reader can do.
import type { Mail } from '../mail/index.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { bindLink } from './links.ts';

type Person = { id: string; email: string };

/** Each puts one mail into the outbox, together with what its link needs. */
export type AccountMail = {
  /** `token` is of a sign-up (links.ts). */
  signUp(on: Queryable, to: string, token: string): Promise<void>;
  accountExists(on: Queryable, to: string): Promise<void>;
  /** The others have tokens of better-auth. */
  verifyEmail(person: Person, token: string): Promise<void>;
  resetPassword(to: string, token: string): Promise<void>;
  confirmChange(person: Person, newEmail: string, token: string): Promise<void>;
};

type Options = { db: Database; baseUrl: string; enqueue: EnqueueMail };
export type EnqueueMail = (on: Queryable, mail: Mail) => Promise<void>;

export function createAccountMail({ db, baseUrl, enqueue }: Options): AccountMail {
  const verifyUrl = (token: string) => `${baseUrl}/api/auth/verify-email?token=${encodeURIComponent(token)}`;
  const verification = (to: string, token: string) =>
    composeMail(to, 'Verify your e-mail address', [
      'Somebody, hopefully you, gave this address to Concord. Open this link to verify it:',
      verifyUrl(token),
      'If it was not you, do nothing.',
    ]);
  const bound = (userId: string, token: string, mail: Mail) =>
    db.transaction(async (tx) => {
      await bindLink(tx, token, userId);
      await enqueue(tx, mail);
    });

  return {
    signUp: (on, to, token) => enqueue(on, verification(to, token)),
    accountExists: (on, to) =>
      enqueue(
        on,
        composeMail(to, 'You already have an account', [
          'Somebody, hopefully you, tried to sign up with this address, which has an account already.',
          'Sign in with it, or ask for a new password if you forgot yours. If it was not you, do nothing.',
        ]),
      ),
    verifyEmail: ({ id, email }, token) => bound(id, token, verification(email, token)),
    resetPassword: (to, token) =>
      enqueue(
        db,
        composeMail(to, 'Reset your password', [
          'Somebody, hopefully you, asked for a new password. This is the token for it (valid for an hour):',
          token,
          `Send it with the new password to ${baseUrl}/api/auth/reset-password as {"token","newPassword"}.`,
          'If it was not you, do nothing: your password stays as it is.',
        ]),
      ),
    confirmChange: ({ id, email }, newEmail, token) =>
      bound(
        id,
        token,
        composeMail(email, 'Confirm your new e-mail address', [
          `Somebody, hopefully you, asked to change the address of your account to ${newEmail}. Open this link to agree:`,
          verifyUrl(token),
          'If it was not you, do nothing, and change your password.',
        ]),
      ),
  };
}

export function composeMail(to: string, subject: string, paragraphs: string[]): Mail {
  const html = paragraphs.map((paragraph) =>
    /^https?:\/\/\S+$/.test(paragraph)
      ? `<p><a href="${escapeHtml(paragraph)}">${escapeHtml(paragraph)}</a></p>`
      : `<p>${escapeHtml(paragraph)}</p>`,
  );
  return { to, subject, text: `${paragraphs.join('\n\n')}\n`, html: html.join('\n') };
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

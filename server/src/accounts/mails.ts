// What accounts write to people: short, in text and HTML, with the one thing that the reader can do.
import type { Mail } from '../mail/index.ts';

/** Each puts one mail into the outbox. */
export type AccountMail = {
  verifyEmail(to: string, token: string): Promise<void>;
  accountExists(to: string): Promise<void>;
  resetPassword(to: string, token: string): Promise<void>;
  confirmChange(to: string, newEmail: string, token: string): Promise<void>;
};

type Options = { baseUrl: string; enqueue: (mail: Mail) => Promise<void> };

export function createAccountMail({ baseUrl, enqueue }: Options): AccountMail {
  const verifyUrl = (token: string) => `${baseUrl}/api/auth/verify-email?token=${encodeURIComponent(token)}`;
  return {
    verifyEmail: (to, token) =>
      enqueue(
        compose(to, 'Verify your e-mail address', [
          'Somebody, hopefully you, gave this address to Concord. Open this link to verify it (valid for an hour):',
          verifyUrl(token),
          'If it was not you, do nothing.',
        ]),
      ),
    accountExists: (to) =>
      enqueue(
        compose(to, 'You already have an account', [
          'Somebody, hopefully you, tried to sign up with this address, which has an account already.',
          'Sign in with it, or ask for a new password if you forgot yours. If it was not you, do nothing.',
        ]),
      ),
    resetPassword: (to, token) =>
      enqueue(
        compose(to, 'Reset your password', [
          'Somebody, hopefully you, asked for a new password. This is the token for it (valid for an hour):',
          token,
          `Send it with the new password to ${baseUrl}/api/auth/reset-password as {"token","newPassword"}.`,
          'If it was not you, do nothing: your password stays as it is.',
        ]),
      ),
    confirmChange: (to, newEmail, token) =>
      enqueue(
        compose(to, 'Confirm your new e-mail address', [
          `Somebody, hopefully you, asked to change the address of your account to ${newEmail}. Open this link to agree:`,
          verifyUrl(token),
          'If it was not you, do nothing, and change your password.',
        ]),
      ),
  };
}

function compose(to: string, subject: string, paragraphs: string[]): Mail {
  const html = paragraphs.map((paragraph) =>
    /^https?:\/\/\S+$/.test(paragraph)
      ? `<p><a href="${escapeHtml(paragraph)}">${escapeHtml(paragraph)}</a></p>`
      : `<p>${escapeHtml(paragraph)}</p>`,
  );
  return { to, subject, text: `${paragraphs.join('\n\n')}\n`, html: html.join('\n') };
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

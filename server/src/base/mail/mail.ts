// A mail: the same text as plain text and as HTML.
import type { Transaction } from '../postgres/database.ts';

export type Mail = { to: string; subject: string; text: string; html: string };

/** Commits with the transaction. */
export type EnqueueMail = (tx: Transaction, mail: Mail) => Promise<void>;

/** A mail has one at most. `url` is ours, never a user's. */
type Action = { readonly label: string; readonly url: string };

/** `language`: a BCP 47 tag. `copyLink` stands before the link of a button. */
type Words = { readonly language: string; readonly copyLink: string };

type Compose = (
  to: string,
  subject: string,
  paragraphs: readonly string[],
  action?: Action,
  after?: readonly string[],
) => Mail;

/** The HTML loads nothing, so no image tells that it was opened. */
export const createComposer =
  ({ language, copyLink }: Words): Compose =>
  (to, subject, paragraphs, action, after = []) => {
    const link = action === undefined ? [] : [`${action.label}:`, action.url];
    const body = [
      ...paragraphs.map(paragraphOf),
      ...(action ? [buttonOf(action, copyLink)] : []),
      ...after.map(paragraphOf),
    ];
    return {
      to,
      subject,
      text: `${[...paragraphs, ...link, ...after].join('\n\n')}\n`,
      html: [
        `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
        `<body style="margin:0;background:#fff"><div style="max-width:560px;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2327">`,
        ...body,
        '</div></body></html>',
      ].join('\n'),
    };
  };

const paragraphOf = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

/** Some mail programs show no buttons. */
function buttonOf({ label, url }: Action, copyLink: string): string {
  const address = escapeHtml(url);
  return [
    `<p style="margin:24px 0 8px"><a href="${address}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b6b66;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`,
    `<p style="margin:0 0 24px;font-size:13px;color:#5a6570;word-break:break-all">${copyLink}: ${address}</p>`,
  ].join('\n');
}

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * One line of 80 characters, without links: a space after each dot, colon and @ inside a word breaks them.
 */
export function oneLine(text: string): string {
  const line = text
    // Full-width and small forms of these characters become plain ones.
    .normalize('NFKC')
    // Also those that change the direction of text.
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[.:@\u3002](?=[^\s.,;:!?)\]}"'»”’])/gu, '$& ')
    .trim();
  const characters = [...line];
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}...` : line;
}

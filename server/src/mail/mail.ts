// A mail: the same text as plain text and as HTML.
export type Mail = { to: string; subject: string; text: string; html: string };

/** A paragraph that is one URL becomes a link. */
export function composeMail(to: string, subject: string, paragraphs: readonly string[]): Mail {
  const html = paragraphs.map((paragraph) =>
    /^https?:\/\/\S+$/.test(paragraph)
      ? `<p><a href="${escapeHtml(paragraph)}">${escapeHtml(paragraph)}</a></p>`
      : `<p>${escapeHtml(paragraph)}</p>`,
  );
  return { to, subject, text: `${paragraphs.join('\n\n')}\n`, html: html.join('\n') };
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Makes text that a user chose safe in a mail: one line, 80 characters at most, and nothing that mail programs turn into a link.
 * A space after each dot, colon and @ inside a word breaks hosts, URLs and addresses: `http: //evil. example`.
 */
export function oneLine(text: string): string {
  const line = text
    // Full-width and small forms of these characters become plain ones.
    .normalize('NFKC')
    // Controls, also those that change the direction of text.
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[.:@\u3002](?=[^\s.,;:!?)\]}"'»”’])/gu, '$& ')
    .trim();
  const characters = [...line];
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}...` : line;
}

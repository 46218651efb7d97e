// Text of others, cut to what is kept or shown.

/** Half of a character at the end is left out. Another half is replaced. */
export const cut = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();

// Searching text: patterns for `ilike`.

/** Matches text that has this text inside; the wildcards of LIKE in it are text. */
export const contains = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

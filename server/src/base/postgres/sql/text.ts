// Searching text with `ilike`.

/** A pattern that matches any text containing this one. Wildcards of LIKE in it stand for themselves. */
export const contains = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

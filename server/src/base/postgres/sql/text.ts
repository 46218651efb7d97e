// Searching text with `ilike`.

/** Wildcards of LIKE in the text stand for themselves. */
export const contains = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

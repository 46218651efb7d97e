// What a person chooses from.

export type Option = { readonly value: string; readonly label: string };

/** Words by value, as options. */
export const optionsOf = (words: Readonly<Record<string, string | { readonly label: string }>>): Option[] =>
  Object.entries(words).map(([value, word]) => ({
    value,
    label: typeof word === 'string' ? word : word.label,
  }));

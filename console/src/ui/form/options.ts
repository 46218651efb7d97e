// What a person chooses from.
export type Option = { readonly value: string; readonly label: string };
/** As options, or as words by value. */
export type Options = readonly Option[] | Readonly<Record<string, string | { readonly label: string }>>;

export const toOptions = (options: Options): readonly Option[] =>
  Array.isArray(options)
    ? options
    : Object.entries(options).map(([value, word]) => ({
        value,
        label: typeof word === 'string' ? word : word.label,
      }));

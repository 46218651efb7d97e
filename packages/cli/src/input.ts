// The argument and the options of one call, read with their types.
import { CliError } from './exits.ts';

/** Others, such as `..`, would make a URL that of another operation. */
export const isId = (text: string): boolean => /^\w+$/.test(text);

/** `name`: of the argument, option or variable. An id of another kind would be "Not found", or an empty list. */
export function toId(text: string, name: string, prefix: string): string {
  if (isId(text) && text.startsWith(`${prefix}_`)) return text;
  throw new CliError(
    'usage',
    `${name} must be an id like ${prefix}_01h2xcejqtf2nbrexx3vqjhp41, and not ${text}`,
  );
}

export type Input = ReturnType<typeof createInput>;

export function createInput(argument: string | undefined, options: Readonly<Record<string, unknown>>) {
  const text = (name: string): string | undefined => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  const required = (): string => {
    // The parser has refused a call without it.
    if (argument === undefined) throw new CliError('usage', 'An argument is missing');
    return argument;
  };
  return {
    text,
    flag: (name: string): boolean => options[name] === true,
    /** `--types a,b`: a list. An empty one, as of a variable that is not set, would mean nothing at all. */
    list(name: string): string[] | undefined {
      const values = text(name)
        ?.split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '');
      if (values?.length === 0)
        throw new CliError('usage', `--${name} must have names with commas between them`);
      return values;
    },
    /** `--endpoint <id>`. */
    optionalId(name: string, prefix: string): string | undefined {
      const value = text(name);
      return value === undefined ? undefined : toId(value, `--${name}`, prefix);
    },
    /** From 1 on. */
    integer(name: string, max: number): number | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= 1 && number <= max))
        throw new CliError('usage', `--${name} must be an integer from 1 to ${max}, and not ${value}`);
      return number;
    },
    /** The value, if it is one of these. */
    choice<const Value extends string>(name: string, values: readonly Value[]): Value | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const found = values.find((each) => each === value);
      if (found === undefined)
        throw new CliError('usage', `--${name} must be one of ${values.join(', ')}, and not ${value}`);
      return found;
    },
    argument,
    required,
    /** The argument `<id>`. */
    id: (prefix: string): string => toId(required(), '<id>', prefix),
  };
}

// Everything that the program prints goes through here, so that all of it is escaped.
import type { Io } from './io.ts';
import { visible, visibleJson } from './visible.ts';

const colours = { dim: 2, red: 31, green: 32 } as const;
type Colour = keyof typeof colours;
export type Part = string | { readonly text: string; readonly colour: Colour };

export const paint = (colour: Colour, text: string): Part => ({ colour, text });

export type Output = ReturnType<typeof createOutput>;

export function createOutput(io: Pick<Io, 'write' | 'warn' | 'hasColours'>, isJson: boolean) {
  const render = (part: Part): string => {
    if (typeof part === 'string') return visible(part);
    const text = visible(part.text);
    return io.hasColours ? `\u001b[${colours[part.colour]}m${text}\u001b[0m` : text;
  };
  const line = (...parts: readonly Part[]): void => io.write(`${parts.map(render).join('')}\n`);

  const json = (value: unknown): void => io.write(`${visibleJson(value, 2)}\n`);
  /** Columns, as wide as their longest cell. */
  function table(rows: readonly (readonly string[])[]): void {
    if (rows.length === 0) io.warn('Nothing found.\n');
    const shown = rows.map((row) => row.map(visible));
    const widths = (shown[0] ?? []).map((_, column) =>
      Math.max(...shown.map((row) => (row[column] ?? '').length)),
    );
    for (const row of shown)
      io.write(
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
      );
  }

  return {
    isJson,
    line,
    table,
    /** `--json`: one value, on lines of its own. */
    json,
    /** With `--json` the value. Otherwise `shown`: a line, or the rows of a table. */
    result(value: unknown, shown: string | readonly (readonly string[])[]): void {
      if (isJson) json(value);
      else if (typeof shown === 'string') line(shown);
      else table(shown);
    },
    /** To stderr, so that stdout has only the result. */
    note: (text: string): void => io.warn(`${visible(text)}\n`),
    /** Each line of the text, after an indent. */
    block(text: string, indent = '    '): void {
      for (const each of text.split(/\r?\n/)) line(`${indent}${each}`);
    },
    /** `--json` of commands that go on: one value on one line. */
    jsonLine: (value: unknown): void => io.write(`${visibleJson(value)}\n`),
  };
}

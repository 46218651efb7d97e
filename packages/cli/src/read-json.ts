// Files that the command line names, and JSON that an option has, names as `@FILE`, or reads from stdin as `-`.
import { readFile } from 'node:fs/promises';
import type { Context } from './context.ts';
import { CliError } from './exits.ts';

/** `what`: "The data", for messages. */
export async function readJson({ io }: Context, given: string, what: string): Promise<unknown> {
  const text =
    given === '-'
      ? (await io.readStdin()).toString()
      : given.startsWith('@')
        ? (await readNamed(given.slice(1), what)).toString()
        : given;
  try {
    // Without a byte order mark, which programs on Windows write.
    return JSON.parse(text.trimStart());
  } catch (error) {
    throw new CliError('usage', `${what} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

export const readNamed = (path: string, what: string): Promise<Buffer> =>
  readFile(path).catch((error: Error) => {
    throw new CliError('usage', `${what} cannot be read: ${error.message}`, { cause: error });
  });

// A command of a person: its options, its usage, and its failure.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export const say = (line: string) => void process.stdout.write(`${line}\n`);

const help = { type: 'boolean', short: 'h' } as const;

type Arguments<O extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>;

/**
 * `--help` shows the usage. An error is one line, and the exit code 1. Only a `run` with two parameters takes arguments
 * that are no options.
 */
export async function runCommand<const O extends ParseArgsOptionsConfig>(
  usage: string,
  options: O,
  run: (values: Arguments<O>['values'], positionals: string[]) => Promise<void> | void,
): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: run.length > 1,
      options: { ...options, help },
    });
    if ('help' in values) say(usage);
    else await run(values as Arguments<O>['values'], positionals);
  } catch (error) {
    const { message = String(error), cause, code } = error as Partial<NodeJS.ErrnoException>;
    const [line] = code?.startsWith('ERR_PARSE_ARGS_') ? usage.split('\n') : [];
    process.stderr.write(`${message}${cause instanceof Error ? ` (${cause.message})` : ''}\n`);
    if (line !== undefined) process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  }
}

/** Each in a line of its own. Any makes the exit code 1. */
export function complain(problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

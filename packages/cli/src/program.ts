// The parser of the command line, made from the table of commands.
import { isDeepStrictEqual } from 'node:util';
import { CommanderError, Command as Parser } from 'commander';
import { type Command, commonOptions, groups } from './command.ts';
import { commands } from './commands/index.ts';
import { createContext } from './context.ts';
import { CliError, type Exit, exits } from './exits.ts';
import { createInput, type Input } from './input.ts';
import type { Io } from './io.ts';
import { createOutput } from './output.ts';
import { reportFailure } from './report.ts';
import { noSettings, readSettings } from './settings.ts';
import { visible } from './visible.ts';

/** Returns the exit code. */
export async function runProgram(args: readonly string[], io: Io, version: string): Promise<number> {
  let exit: Exit | undefined;
  const parser = createParser(io, version, async (command, input) => {
    exit = await runCommand(command, input, io);
  });
  try {
    // The command `help` of the parser knows one word.
    const [first, ...path] = args;
    const isDeep = first === 'help' && commands.some((each) => isDeepStrictEqual(each.path, path));
    await parser.parseAsync(isDeep ? [...path, '--help'] : args, { from: 'user' });
    return exits[exit ?? 'done'].code;
  } catch (error) {
    // Help and version end by an exception too.
    if (error instanceof CommanderError) return exits[error.exitCode === 0 ? 'done' : 'usage'].code;
    return exits[reportFailure(error, io, args.includes('--json'))].code;
  }
}

async function runCommand(command: Command, input: Input, io: Io): Promise<Exit | undefined> {
  const out = createOutput(io, input.flag('json'));
  const settings =
    command.settings === 'none'
      ? noSettings
      : await readSettings(input, io.env, { replaces: command.settings === 'replaced' });
  const running = command.run(createContext({ io, input, out, settings }));
  const { atEnd = 'interrupted' } = command;
  // A request or stdin can take minutes.
  return atEnd === 'itself' ? running : Promise.race([running, aborted(io.ended).then(() => atEnd)]);
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

type Run = (command: Command, input: Input) => Promise<void>;

function createParser(io: Io, version: string, run: Run): Parser {
  const parser = prepare(new Parser('concord'), io)
    .description(
      'Concord for integrators: receive webhooks on your machine, verify them, look at deliveries.',
    )
    .usage('COMMAND [options]')
    .version(version)
    .helpCommand(true)
    .addHelpText(
      'after',
      '\nconcord COMMAND --help has an example. Your Concord has the exit codes at /docs/command-line.md',
    );
  const parents = new Map<string, Parser>();
  for (const command of commands) {
    if (command.path.length === 1) {
      addCommand(prepare(parser.command(command.path[0]), io), command, run);
      continue;
    }
    const [name, verb] = command.path;
    const parent = parents.get(name) ?? addGroup(prepare(parser.command(name), io), groups[name]);
    parents.set(name, parent);
    addCommand(prepare(parent.command(verb), io), command, run);
  }
  return parser;
}

const addGroup = (parser: Parser, summary: string): Parser =>
  parser.description(summary).usage('COMMAND [options]').helpCommand(false);

/** Commands do not inherit these. */
const prepare = (parser: Parser, io: Io): Parser =>
  parser
    .exitOverride((error) => {
      if (error.exitCode === 0 || error.code === 'commander.help') throw error;
      const problem = error.message
        .replace(/^error: /, '')
        .replaceAll(/[\s.]+(?=\(|$)/g, ' ')
        .trim();
      throw new CliError('usage', `${problem}. See ${pathOf(parser)} --help`);
    })
    .configureOutput({
      writeOut: (text) => io.write(text),
      writeErr: (text) => io.warn(text.split('\n').map(visible).join('\n')),
      outputError: () => {},
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });

const pathOf = (parser: Parser): string =>
  `${parser.parent ? `${pathOf(parser.parent)} ` : ''}${parser.name()}`;

function addCommand(parser: Parser, command: Command, run: Run): void {
  parser.description(command.details ? `${command.summary}\n\n${command.details}` : command.summary);
  parser.summary(command.summary);
  const { argument } = command;
  if (argument) parser.argument(argument.name, argument.description);
  for (const { flags, description } of command.options ?? []) parser.option(flags, description);
  parser.optionsGroup('Options of every command:');
  for (const { flags, description } of commonOptions) parser.option(flags, description);
  parser.addHelpText('after', `\nExample:\n  ${command.example}`);
  parser.action(async () => {
    const [value] = parser.args;
    const named = [
      [argument?.name, value] as const,
      ...parser.options.map(
        (option) => [option.long, parser.getOptionValue(option.attributeName())] as const,
      ),
    ];
    for (const [name, value] of named)
      if (value === '') throw new CliError('usage', `${name} must not be empty`);
    await run(command, createInput(value, parser.opts()));
  });
}

// docs/command-line.md, and the list of commands in the README of packages/cli, from the table of commands.
import { type Command, commonOptions } from '../packages/cli/src/command.ts';
import { commands } from '../packages/cli/src/commands/index.ts';
import { exits } from '../packages/cli/src/exits.ts';
import { variables } from '../packages/cli/src/settings.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const titleOf = ({ path, arguments: given = [] }: Command): string =>
  ['concord', ...path, ...given.map(({ name }) => name)].join(' ');
const optionRows = (options: Command['options'] = []): string[] =>
  options.map(({ flags, description }) => `- \`${flags}\` ${description}`);

function section(command: Command): string[] {
  const { summary, details, options, example } = command;
  const rows = [
    ...(command.arguments ?? []).map(({ name, description }) => `- \`${name}\` ${description}`),
    ...optionRows(options),
  ];
  return [
    `## ${titleOf(command).replaceAll(/[<>]/g, '\\$&')}`,
    '',
    `${summary}.${details === undefined ? '' : ` ${details}`}`,
    '',
    ...(rows.length > 0 ? [...rows, ''] : []),
    '```sh',
    example,
    '```',
    '',
  ];
}

export function commandLineDocument(): string {
  const lines = [
    '# The command line for integrators',
    '',
    'Generated from `packages/cli/src` by `npm run generate`. [packages/cli](../packages/cli/README.md) says how to install it.',
    '',
    'The result goes to stdout, everything else to stderr. What comes from the network is escaped before it is shown. Without a terminal there are no colours.',
    'The kept token is sent only to the Concord that it was kept for. Redirects are not followed, and certificates are always verified.',
    '',
    '| Exit code | Meaning |',
    '|---|---|',
    ...Object.values(exits).map(({ code, meaning }) => `| ${code} | ${cell(meaning)} |`),
    '',
    '| Variable | Meaning |',
    '|---|---|',
    ...Object.entries(variables).map(([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`),
    '',
    'Every command has these options:',
    '',
    ...optionRows(commonOptions),
    '',
    ...commands.flatMap(section),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

const [start, end] = ['<!-- commands: npm run generate -->', '<!-- end of the commands -->'];

/** With the present list between its two comments. */
export function readmeWithCommands(readme: string): string {
  const table = [
    '| Command | |',
    '|---|---|',
    ...commands.map((command) => `| \`${cell(titleOf(command))}\` | ${cell(command.summary)} |`),
  ].join('\n');
  const [before, rest] = readme.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error('packages/cli/README.md has no place for the list of commands');
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}

// docs/command-line.md, from the table of commands.
import { type Command, commonOptions } from '../packages/cli/src/command.ts';
import { commands } from '../packages/cli/src/commands/index.ts';
import { exits } from '../packages/cli/src/exits.ts';
import { variables } from '../packages/cli/src/settings.ts';

const titleOf = ({ path, arguments: given = [] }: Command): string =>
  ['concord', ...path, ...given.map(({ name }) => name)].join(' ');
const optionRows = (options: Command['options'] = []): string[] =>
  options.map(({ flags, description }) => `- \`${flags}\` ${description}`);

const isPlain = ({ options }: Command): boolean => options === undefined;
const aboutOf = ({ summary, details }: Command): string =>
  `${summary}.${details === undefined ? '' : ` ${details}`}`;

function section(command: Command): string[] {
  const { options, example } = command;
  return [
    `## ${titleOf(command).replaceAll(/[<>]/g, '\\$&')}`,
    '',
    aboutOf(command),
    '',
    ...(command.arguments ?? []).map(({ name, description }) => `- \`${name}\` ${description}`),
    ...optionRows(options),
    '',
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
    'Exit codes:',
    '',
    ...Object.values(exits).map(({ code, meaning }) => `- ${code}: ${meaning}`),
    '',
    'Environment:',
    '',
    ...Object.entries(variables).map(([name, meaning]) => `- \`${name}\` ${meaning}`),
    '',
    'Every command has these options:',
    '',
    ...optionRows(commonOptions),
    '',
    ...commands.filter((command) => !isPlain(command)).flatMap(section),
    '## Without options',
    '',
    ...commands.filter(isPlain).map((command) => `- \`${titleOf(command)}\` ${aboutOf(command)}`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

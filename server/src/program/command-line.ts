// The command line: a command, and its options.
import { parseArgs } from 'node:util';

/** Each use of a command: its options, and what it does. The empty name is `npm start`. run.ts runs each. */
const uses = [
  ['', '', 'run the service'],
  ['operator create', '--email ADDRESS', 'create an operator'],
  ['operator reset-password', '--email ADDRESS', 'give an operator a new password'],
  ['keys list', '', 'list the keys that sign webhooks'],
  ['keys rotate', '--environment live|sandbox', 'use the next key once it has been published for 48 hours'],
  ['keys revoke', '--kid=KID', 'remove a key from the JWKS at once'],
  ['audit verify', '[--expect=HEAD]', 'check that the audit log is as it was written'],
  ['backup', '--to FILE [--with-secrets]', 'write a backup while Concord runs'],
  ['backup', '--verify FILE', 'check that a backup is complete and as it was written'],
  ['restore', '--from FILE', 'restore a backup into an empty data directory or database'],
  ['pending send', '', 'send what a restored backup held'],
  ['pending fail', '', 'give up what a restored backup held'],
  ['database copy', '[--to URL]', 'copy the database to URL, or to CONCORD_DATABASE_COPY_URL'],
  ['doctor', '[--json]', 'examine the installation: what is wrong, and what to do'],
] as const;
/** `worker` is for Concord itself. */
export type CommandName = (typeof uses)[number][0] | 'worker';
const isCommand = (name: string): name is CommandName =>
  name === 'worker' || uses.some(([each]) => each === name);

const lines = [...uses, ['--version', '', 'show the version'], ['--help', '', 'show this text']].map(
  ([name, takes, does]) => [`npm ${name ? `run concord -- ${name} ${takes}` : 'start'}`, does] as const,
);
const width = Math.max(...lines.map(([line]) => line.length));
export const usage = `Usage: ${lines.map(([line, does]) => `${line.padEnd(width)}  ${does}`).join('\n       ')}

Settings come from the environment. docs/configuration.md lists them.`;

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  to: { type: 'string' },
  email: { type: 'string' },
  environment: { type: 'string' },
  kid: { type: 'string' },
  expect: { type: 'string' },
  verify: { type: 'string' },
  from: { type: 'string' },
  'with-secrets': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const list = new Intl.ListFormat('en-GB');
const named = (names: readonly string[]) => list.format(names.map((name) => `--${name}`));

export function readCommandLine(args: string[]) {
  const { values, positionals } = parse(args);
  const command = positionals.join(' ');
  if (values.help || values.version) return { command: null, values };
  if (!isCommand(command)) throw refusal(`There is no command "${command}".`);
  const takes = uses.flatMap(
    ([each, names]) => (each === command ? names.match(/(?<=--)[\w-]+/g) : null) ?? [],
  );
  const own = Object.keys(options).filter((name) => takes.includes(name));
  const others = Object.keys(values).filter((name) => !own.includes(name));
  if (others.length > 0) {
    const has = own.length > 0 ? named(own) : 'no options';
    throw refusal(`${command || 'npm start'} takes ${has}, not ${named(others)}.`);
  }
  return { command, values };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    // Node then explains how to write a file name that begins with a dash.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.(?:\s|$)/);
    throw refusal(`${sentence}.`);
  }
}

const refusal = (sentence: string) => new Error(`${sentence}\n\n${usage}`);

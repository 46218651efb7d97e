// The command line: a command, and its options.
import { parseArgs } from 'node:util';

export const usage = `Usage: npm start                                                   run the service
       npm run concord -- operator create --email ADDRESS          create an operator
       npm run concord -- operator reset-password --email ADDRESS  give an operator a new password
       npm run concord -- keys list                                list the keys that sign webhooks
       npm run concord -- keys rotate --environment live|sandbox   use the next key once it has been published for 48 hours
       npm run concord -- keys revoke --kid=KID                    remove a key from the JWKS at once
       npm run concord -- audit verify [--expect=HEAD]             check that the audit log is as it was written
       npm run concord -- backup --to FILE [--with-secrets]        write a backup while Concord runs
       npm run concord -- backup --verify FILE                     check that a backup is complete and as it was written
       npm run concord -- restore --from FILE                      restore a backup into an empty data directory or database
       npm run concord -- pending send|fail                        send what a restored backup held, or give it up
       npm run concord -- database copy                            copy the database to CONCORD_DATABASE_COPY_URL
       npm run concord -- doctor [--json]                          examine the installation: what is wrong, and what to do
       npm run concord -- --help                                   show this text

Settings come from the environment. docs/configuration.md lists them.`;

const options = {
  help: { type: 'boolean', short: 'h' },
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

/** The empty name is `npm start`. run.ts runs each. */
const commands = {
  '': [],
  worker: [],
  'operator create': ['email'],
  'operator reset-password': ['email'],
  'keys list': [],
  'keys rotate': ['environment'],
  'keys revoke': ['kid'],
  'audit verify': ['expect'],
  backup: ['to', 'verify', 'with-secrets'],
  restore: ['from'],
  'pending send': [],
  'pending fail': [],
  'database copy': ['to'],
  doctor: ['json'],
} as const satisfies Record<string, readonly (keyof typeof options)[]>;
export type CommandName = keyof typeof commands;
const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

const list = new Intl.ListFormat('en-GB');
const named = (names: readonly string[]) => list.format(names.map((name) => `--${name}`));

export function readCommandLine(args: string[]) {
  const { values, positionals } = parse(args);
  const command = positionals.join(' ');
  if (values.help) return { command: null, values };
  if (!isCommand(command)) throw refusal(`There is no command "${command}".`);
  const own: readonly string[] = commands[command];
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

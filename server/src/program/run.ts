// Runs what the command line says. A command is imported when it runs: all of them take most of a second of
// processor time.
import { version } from '../base/version.ts';
import { type CommandName, readCommandLine, usage } from './command-line.ts';
import type { Command } from './commands/with-database.ts';
import { type Config, type Environment, readConfig } from './config.ts';
import { explain } from './explain.ts';

type Program = {
  say(text: string): void;
  complain(text: string): void;
  serve(config: Config): Promise<void>;
  work(config: Config): Promise<void>;
};

/** Returns the exit code. */
export async function run(args: string[], environment: Environment, program: Program): Promise<number> {
  try {
    return (await perform(args, environment, program)) === false ? 1 : 0;
  } catch (error) {
    program.complain(explain(error, environment));
    // 1 of the doctor means that it found an error.
    return args[0] === 'doctor' ? 2 : 1;
  }
}

/** Resolves to false when the doctor has found an error. */
async function perform(args: string[], environment: Environment, program: Program): Promise<unknown> {
  const { say, complain, serve, work } = program;
  const { command, values } = readCommandLine(args);
  if (command === null) return say(values.help ? usage : version);
  if (command === 'doctor') {
    const { doctorCommand } = await import('./commands/doctor/index.ts');
    return doctorCommand({ environment, json: values.json, announce: say });
  }
  const { config, warnings } = readConfig(environment);
  for (const warning of warnings) complain(`Warning: ${warning}`);
  if (command === '') return serve(config);
  if (command === 'worker') return work(config);
  const [name, action = ''] = command.split(' ') as [keyof typeof runs, string?];
  return runs[name]({ ...values, action, config, announce: say, report: complain });
}

type Given = Command & ReturnType<typeof readCommandLine>['values'] & { action: string };
type FirstWord<Name extends string> = Name extends `${infer Word} ${string}` ? Word : Name;
const runs: Readonly<
  Record<FirstWord<Exclude<CommandName, '' | 'worker' | 'doctor'>>, (given: Given) => Promise<unknown>>
> = {
  operator: async (given) => (await import('./commands/operator.ts')).operatorCommand(given),
  keys: async (given) => (await import('./commands/keys.ts')).keysCommand(given),
  audit: async (given) => (await import('./commands/audit.ts')).verifyAuditCommand(given),
  backup: async (given) => (await import('./commands/backup.ts')).backupCommand(given),
  restore: async (given) => (await import('./commands/restore.ts')).restoreCommand(given),
  pending: async (given) => (await import('./commands/pending.ts')).pendingCommand(given),
  database: async (given) => (await import('./commands/database-copy.ts')).copyDatabaseCommand(given),
};

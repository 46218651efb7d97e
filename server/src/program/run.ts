// Runs what the command line says. A command is imported when it runs: all of them take most of a second of
// processor time.
import { readCommandLine, usage } from './command-line.ts';
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
  if (values.help) return say(usage);
  if (command === 'doctor') {
    const { doctorCommand } = await import('./commands/doctor/index.ts');
    return doctorCommand({ environment, json: values.json, announce: say });
  }
  const { config, warnings } = readConfig(environment);
  for (const warning of warnings) complain(`Warning: ${warning}`);
  if (command === '') return serve(config);
  if (command === 'worker') return work(config);
  const [name, action = ''] = command.split(' ');
  const given = { ...values, action, config, announce: say, report: complain };
  switch (name) {
    case 'operator':
      return (await import('./commands/operator.ts')).operatorCommand(given);
    case 'keys':
      return (await import('./commands/keys.ts')).keysCommand(given);
    case 'audit':
      return (await import('./commands/audit.ts')).verifyAuditCommand(given);
    case 'backup':
      return (await import('./commands/backup.ts')).backupCommand(given);
    case 'restore':
      return (await import('./commands/restore.ts')).restoreCommand(given);
    case 'pending':
      return (await import('./commands/pending.ts')).pendingCommand(given);
    default: // database copy
      return (await import('./commands/database-copy.ts')).copyDatabaseCommand(given);
  }
}

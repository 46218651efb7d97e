// `operator create` and `operator reset-password`, also while Concord runs.
import { parseEmail } from '../../base/email.ts';
import { createOperator, createPasswords, resetOperatorPassword } from '../../people/index.ts';
import { type Command, withDatabase } from './with-database.ts';

/** `action`: create or reset-password. */
type Options = Omit<Command, 'report'> & { action: string; email?: string };

export async function operatorCommand({ action, config, email, announce }: Options): Promise<void> {
  if (email === undefined)
    throw new Error(`--email is missing: npm run concord -- operator ${action} --email ADDRESS`);
  const act = action === 'create' ? createOperator : resetOperatorPassword;
  // Every user of the machine could read a password that is an argument.
  const credentials = { email: parseOption(email), password: null, announce };
  await withDatabase({ config, announce, mayCreate: action === 'create' }, (db) =>
    act({ db, passwords: createPasswords(), ...credentials }),
  );
}

function parseOption(email: string): string {
  try {
    return parseEmail(email);
  } catch (cause) {
    throw new Error(`--email ${(cause as Error).message}`, { cause });
  }
}

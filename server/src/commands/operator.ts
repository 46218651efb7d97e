// `operator create` and `operator reset-password`: also while Concord is running.
import { createOperator, createPasswords, resetOperatorPassword } from '../accounts/index.ts';
import type { Config } from '../config.ts';
import { parseEmail } from '../config-values.ts';
import { withDatabase } from './with-database.ts';

type Options = {
  action: 'create' | 'reset-password';
  config: Config;
  email: string | undefined;
  announce: (line: string) => void;
};

export async function operatorCommand({ action, config, email, announce }: Options): Promise<void> {
  if (email === undefined) throw new Error(`Say whose: npm run concord -- operator ${action} --email <address>`);
  const act = action === 'create' ? createOperator : resetOperatorPassword;
  // The generated password is printed; one on the command line could be read by every user of the machine.
  const credentials = { email: parseEmail(email), password: null, announce };
  await withDatabase(config, announce, (db) => act({ db, passwords: createPasswords(), ...credentials }));
}

// Creates operators without another operator: the first one at start, and others from the command line.
import { randomBytes } from 'node:crypto';
import { sessions } from '../../access/index.ts';
import {
  type Actor,
  type Changes,
  changesBetween,
  commandActor,
  recordAction,
  secretChange,
  systemActor,
} from '../../audit/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import type { Passwords } from '../better-auth/passwords.ts';
import * as store from './store.ts';

/** `password` null: generates one and passes it to `announce`. Only its hash is stored. */
type Options = {
  db: Database;
  passwords: Passwords;
  email: string;
  password: string | null;
  announce: (line: string) => void;
};

/** Creates the first operator if there is none. Several instances may call it at once. */
export const ensureFirstOperator = (options: Options) =>
  options.db.transaction(async (tx) => {
    const { email } = options;
    if (await store.lockFirstOperator(tx)) return;
    if ((await store.selectId(tx, email)) !== undefined) {
      throw new Error(
        `There is no operator, and CONCORD_OPERATOR_EMAIL (${email}) belongs to a user. ` +
          `Make that user an operator: npm run concord -- operator create --email ${email}`,
      );
    }
    const userId = await insertOperator(tx, options);
    await record(tx, systemActor('first operator'), 'operator.create', userId, appointed(null));
  });

/** Creates an operator, or makes an existing user an operator, who keeps the password. */
export const createOperator = (options: Options) =>
  options.db.transaction(async (tx) => {
    const { email, announce } = options;
    const promoted = await store.promoteToOperator(tx, email).catch((error: unknown) => {
      const refusal = store.toRefusal(error);
      throw refusal instanceof ServiceError ? new Error(`${email}: ${refusal.message}`) : error;
    });
    const userId = promoted?.id ?? (await insertOperator(tx, options));
    const changes = appointed(promoted?.before ?? null);
    await record(tx, commandActor('operator create'), 'operator.create', userId, changes);
    if (promoted?.before === 'operator')
      announce(`${email} is an operator already. Sessions go on: operator reset-password ends them.`);
    else if (promoted !== undefined)
      announce(
        `${email} is an operator now. The password has not changed. Sessions and access tokens from before have ended.`,
      );
  });

/**
 * Sets a new password and ends every session of the operator. @throws Error when no operator has the address
 */
export async function resetOperatorPassword(options: Options) {
  const { db, passwords, email, announce } = options;
  await db.transaction(async (tx) => {
    const userId = await store.lockOperator(tx, email);
    if (userId === undefined) throw new Error(`There is no operator ${email}.`);
    await store.setPassword(tx, userId, await passwords.hashNew(choosePassword(options)));
    await sessions.deleteOtherSessions(tx, userId, null);
    const changes = secretChange('password');
    await record(tx, commandActor('operator reset-password'), 'operator.reset_password', userId, changes);
  });
  announce(`The password of ${email} is changed, and every session has ended.`);
}

async function insertOperator(tx: Transaction, options: Options) {
  const { email, passwords } = options;
  const hash = await passwords.hashNew(choosePassword(options)).catch((error: unknown) => {
    // Only a password that somebody chose can be common: the one of the setting.
    if (!(error instanceof ServiceError && error.code === 'common_password')) throw error;
    throw new Error(`CONCORD_OPERATOR_PASSWORD cannot be used. ${error.message}`);
  });
  const userId = await store.insertUser(tx, { name: 'Operator', email, verified: true, role: 'operator' });
  if (userId === undefined) throw new Error(`The address ${email} already belongs to a user. Try again.`);
  await store.setPassword(tx, userId, hash);
  return userId;
}

/** `before`: the role of the user; null: the user is new. */
const appointed = (before: string | null) => changesBetween({ role: before }, { role: 'operator' });

const record = (tx: Transaction, actor: Actor, action: string, target: string, changes: Changes) =>
  recordAction(tx, { actor, partnerId: null, action, target, changes });

/**
 * Announces a generated password before the commit: after it, a crash could leave an operator whose password
 * nobody knows.
 */
function choosePassword({ email, password, announce }: Options) {
  const chosen = password ?? randomBytes(18).toString('base64url');
  if (password === null) announce(`Operator ${email}: the password is ${chosen} (shown only this once).`);
  return chosen;
}

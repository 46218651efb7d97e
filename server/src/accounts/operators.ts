// Operators, made without another operator: the first one at start, and those of the command line.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { newId } from '../ids.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Passwords } from './passwords.ts';

type Parts = { db: Database; passwords: Passwords };
/** `password` null: one is generated, and told to `announce`; it is kept nowhere. */
type Credentials = { email: string; password: string | null; announce: (line: string) => void };

/** Makes the first operator, when there is none. Any number of instances may call it at once: one of them does. */
export async function ensureFirstOperator({ db, passwords, ...credentials }: Parts & Credentials): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord first operator', 0))`);
    const operators = await tx.query(sql`select from auth."user" where role = 'operator' limit 1`);
    if (operators.length > 0) return;
    const taken = await tx.query(sql`select from auth."user" where email = ${credentials.email}`);
    if (taken.length > 0) {
      throw new Error(
        `There is no operator, and CONCORD_OPERATOR_EMAIL (${credentials.email}) belongs to a user. ` +
          'Make that user one: npm run concord -- operator create --email <address>',
      );
    }
    await insertOperator(tx, passwords, credentials);
  });
}

/** Makes an operator: a new user, or one who is there already and keeps the password. */
export async function createOperator({ db, passwords, ...credentials }: Parts & Credentials): Promise<void> {
  await db.transaction(async (tx) => {
    const promoted = await tx.query(sql`
      update auth."user" set role = 'operator', updated_at = concord_now() where email = ${credentials.email} returning id`);
    if (promoted.length === 0) await insertOperator(tx, passwords, credentials);
    else credentials.announce(`${credentials.email} is an operator now, with the password of before.`);
  });
}

/** Sets a new password and ends every session of the operator. @throws Error when there is no such operator */
export async function resetOperatorPassword({ db, passwords, ...credentials }: Parts & Credentials): Promise<void> {
  const { email, announce } = credentials;
  await db.transaction(async (tx) => {
    const [operator] = await tx.query<{ id: string }>(
      sql`select id from auth."user" where email = ${email} and role = 'operator' for update`,
    );
    if (!operator) throw new Error(`There is no operator ${email}.`);
    const hash = await passwords.hash(choosePassword(credentials));
    await tx.query(sql`
      insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
      values (${crypto.randomUUID()}, ${operator.id}, 'credential', ${operator.id}, ${hash}, concord_now())
      on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = excluded.updated_at`);
    await tx.query(sql`delete from auth.session where user_id = ${operator.id}`);
  });
  announce(`The password of ${email} is changed, and every session ended.`);
}

async function insertOperator(tx: Transaction, passwords: Passwords, credentials: Credentials): Promise<void> {
  const { email } = credentials;
  const userId = newId('user');
  const hash = await passwords.hash(choosePassword(credentials));
  await tx.query(sql`
    insert into auth."user" (id, name, email, email_verified, role)
    values (${userId}, 'Operator', ${email}, true, 'operator')`);
  await tx.query(sql`
    insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
    values (${crypto.randomUUID()}, ${userId}, 'credential', ${userId}, ${hash}, concord_now())`);
}

/** A generated one is told before it is committed: dying in between leaves a password that does not work, and no lost operator. */
function choosePassword({ email, password, announce }: Credentials): string {
  const chosen = password ?? randomBytes(18).toString('base64url');
  if (password === null) announce(`For the operator ${email} the password is ${chosen} (shown only this once).`);
  return chosen;
}

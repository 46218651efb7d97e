// The first operator: made at start when there is none, so that someone can sign in.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { newId } from '../ids.ts';
import type { Database } from '../postgres/database.ts';
import type { Passwords } from './passwords.ts';

type Options = {
  db: Database;
  passwords: Passwords;
  email: string;
  /** null: one is generated. */
  password: string | null;
  /** Tells the person who starts the service the generated password; it is kept nowhere. */
  announce: (line: string) => void;
};

/** Any number of instances may call it at once: one of them makes the operator. */
export async function ensureFirstOperator({
  db,
  passwords,
  email,
  password,
  announce,
}: Options): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord first operator', 0))`);
    const operators = await tx.query(sql`select from auth."user" where role = 'operator' limit 1`);
    if (operators.length > 0) return;

    const taken = await tx.query(sql`select from auth."user" where email = ${email}`);
    if (taken.length > 0) {
      throw new Error(
        `There is no operator, and CONCORD_OPERATOR_EMAIL (${email}) belongs to a user. Set it to another address.`,
      );
    }

    const chosen = password ?? randomBytes(18).toString('base64url');
    // Said before it is committed: dying in between leaves a password that does not work, not an operator nobody can use.
    if (password === null)
      announce(`The first operator is ${email}, the password is ${chosen} (shown only this once).`);
    const userId = newId('user');
    await tx.query(sql`
      insert into auth."user" (id, name, email, email_verified, role)
      values (${userId}, 'Operator', ${email}, true, 'operator')`);
    await tx.query(sql`
      insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
      values (${crypto.randomUUID()}, ${userId}, 'credential', ${userId}, ${await passwords.hash(chosen)}, concord_now())`);
  });
}

// The SQL of the tokens in mails of invitations. Triggers end a token when its invitation is accepted or
// deleted (migration 0024).
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

type NewToken = { token: string; agreementId: string; email: string; inviterId: string };
/**
 * `agreement_id` is a bare UUID. `email` is null when the token has ended, and `inviter` when there is no
 * such user any more.
 */
export type TokenRow = {
  agreement_id: string;
  email: string | null;
  inviter: string | null;
  expires_at: Date;
  state: 'valid' | 'expired' | 'accepted' | 'declined' | 'replaced' | 'withdrawn';
};

/** A token for a mail, with 192 random bits. */
export const newToken = () => randomBytes(24).toString('base64url');

/** Stores a new token for seven days. No other token of the agreement works: the caller has ended it. */
export async function insertToken(
  tx: Transaction,
  { token, agreementId, email, inviterId }: NewToken,
): Promise<void> {
  await tx.query(
    sql`
    insert into auth.invitation_token (token_hash, agreement_id, email, inviter_id, expires_at)
    values (${hashOf(token)}, ${agreementId}, ${email}, ${inviterId}, concord_now() + interval '7 days')`,
    'insert invitation token',
  );
}

export async function selectToken(on: Queryable, token: string): Promise<TokenRow | undefined> {
  const [row] = await on.query<TokenRow>(sql`
    select agreement_id, email, expires_at, (select name from auth."user" where id = inviter_id) as inviter,
      coalesce(ended, case when expires_at > concord_now() then 'valid' else 'expired' end) as state
    from auth.invitation_token where token_hash = ${hashOf(token)}`);
  return row;
}

/** Whoever ends the token waits for this transaction. */
export async function lockToken(tx: Transaction, token: string): Promise<void> {
  await tx.query(sql`select from auth.invitation_token where token_hash = ${hashOf(token)} for share`);
}

export async function endToken(
  tx: Transaction,
  agreementId: string,
  how: 'declined' | 'replaced',
): Promise<void> {
  await tx.query(sql`select auth.end_invitation_token(${agreementId}, ${how})`);
}

// The SQL of passkeys, and of the second factor that they are.
import sql from 'sql-template-tag';
import { parseId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { hasRows, queryRow, type WithDates } from '../../../base/postgres/sql/rows.ts';
import type { NewApp } from '../../better-auth/second-factor-makings.ts';
import { hashOf } from '../../secret-tokens.ts';
import { disableSecondFactor, setSecondFactorEnabled } from '../../users/store.ts';
import { claimProof, replaceApp } from '../store.ts';
import type { Passkey } from './schema.ts';

/** `id` is a bare UUID. */
export type PasskeyRow = WithDates<Passkey, 'created_at' | 'last_used_at'>;
const columns = sql`id, name, aaguid, backed_up, created_at, last_used_at`;

/** What a proof is checked with. */
export type StoredPasskey = {
  id: string;
  userId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
};

type Challenge = { readonly challenge: string; readonly expiresAt: Date };
/** What a passkey has signed. `userVerified`: the authenticator has checked who uses it. */
export type Assertion = {
  readonly passkey: StoredPasskey;
  readonly challenge: Challenge;
  readonly counter: number;
  readonly backedUp: boolean;
  readonly userVerified: boolean;
};

type NewPasskey = StoredPasskey & {
  name: string;
  transports: readonly string[];
  aaguid: string;
  backedUp: boolean;
};

export const selectPasskeys = (on: Queryable, userId: string) =>
  on.query<PasskeyRow>(sql`select ${columns} from auth.passkey where user_id = ${userId} order by id`);

type Descriptor = { credential_id: Buffer; transports: string[] };
export const selectDescriptors = (on: Queryable, userId: string) =>
  on.query<Descriptor>(
    sql`select credential_id, transports from auth.passkey where user_id = ${userId} order by last_used_at desc nulls last, id`,
  );

export const selectStored = (on: Queryable, credentialId: string) =>
  queryRow<StoredPasskey>(
    on,
    sql`
    select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", counter::float8 as counter
    from auth.passkey where credential_id = ${Buffer.from(credentialId, 'base64url')}`,
  );

/** Undefined: the credential is registered already. */
export const insertPasskey = (tx: Transaction, passkey: NewPasskey) =>
  queryRow<PasskeyRow>(
    tx,
    sql`
    insert into auth.passkey (id, user_id, name, credential_id, public_key, counter, transports, aaguid, backed_up)
    values (${parseId('passkey', passkey.id)}, ${passkey.userId}, ${passkey.name}, ${passkey.credentialId},
      ${passkey.publicKey}, ${passkey.counter}, ${passkey.transports}, ${passkey.aaguid}, ${passkey.backedUp})
    on conflict (credential_id) do nothing returning ${columns}`,
  );

const ofUser = (userId: string, id: string) => sql`id = ${parseId('passkey', id)} and user_id = ${userId}`;

/** With the name before. Undefined: the user has no such passkey. */
export const renamePasskey = (tx: Transaction, userId: string, id: string, name: string) =>
  queryRow<PasskeyRow & { before: string }>(
    tx,
    sql`
    update auth.passkey set name = ${name} where ${ofUser(userId, id)}
    returning ${columns}, (select name from auth.passkey old where old.id = passkey.id) as before`,
  );

export const deletePasskey = (tx: Transaction, userId: string, id: string) =>
  queryRow<PasskeyRow>(tx, sql`delete from auth.passkey where ${ofUser(userId, id)} returning ${columns}`);

/** False: the challenge was used before, or has expired, or the user was deleted meanwhile. */
export const useChallenge = (tx: Transaction, userId: string, { challenge, expiresAt }: Challenge) =>
  claimProof(tx, userId, hashOf(challenge), expiresAt);

/** False: the passkey is gone, or another request has used a later counter of it. */
export const usePasskey = (tx: Transaction, { passkey: { id }, counter, backedUp }: Assertion) =>
  hasRows(
    tx,
    sql`
    update auth.passkey set counter = ${counter}, backed_up = ${backedUp}, last_used_at = concord_now()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`,
  );

export const hasSecondFactor = (on: Queryable, userId: string) =>
  hasRows(on, sql`select from auth."user" where id = ${userId} and two_factor_enabled`);

/** Ends all sessions of the user (a trigger). */
export async function enableSecondFactor(tx: Transaction, userId: string, sealed: NewApp['sealed']) {
  await setSecondFactorEnabled(tx, userId, true);
  // A user who began with an authenticator app, and never sent a code of it, has a row, which counts as verified now.
  await replaceApp(tx, userId, sealed);
}

/** Disables the second factor of a user without passkeys and without an app. True: it did. */
export async function disableIfLast(tx: Transaction, userId: string) {
  const hasOthers = await hasRows(
    tx,
    sql`
    select from auth.passkey where user_id = ${userId}
    union all select from auth.two_factor where user_id = ${userId} and verified`,
  );
  if (hasOthers) return false;
  await disableSecondFactor(tx, userId);
  return true;
}

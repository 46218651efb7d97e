// The SQL of signing keys.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { queryValue } from '../../base/postgres/sql/rows.ts';
import type { Environment } from '../environments.ts';
import type { Move, SigningKey } from './signing-key.ts';

/** The public key, without its kid. */
export type PublicJwk = { kty: 'EC'; crv: 'P-384'; x: string; y: string };
type StoredKey = SigningKey & Readonly<{ publicJwk: PublicJwk; sealed: Buffer }>;

type Row = Pick<StoredKey, 'kid' | 'environment' | 'sequence' | 'sealed'> & {
  public_jwk: PublicJwk;
  created_at: Date;
  activates_at: Date;
  retires_at: Date;
  revoked_at: Date | null;
};

export const selectEnvironment = (on: Queryable, kid: string) =>
  queryValue<Environment>(on, sql`select environment from signing_key where kid = ${kid}`);

/** Only one transaction at a time changes the keys of an environment. */
export const lockEnvironment = (tx: Transaction, environment: Environment) =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`concord signing keys ${environment}`}, 0))`);

/**
 * Every key of the environment, in the order of creation, and the time, which is never before the creation of
 * the newest key. It would be before it in a transaction that waited for another one, and after the clock was
 * set back.
 */
export async function selectKeys(
  on: Queryable,
  environment: Environment,
): Promise<{ keys: StoredKey[]; now: number }> {
  const rows = await on.query<Row>(
    sql`select * from signing_key where environment = ${environment} order by sequence`,
  );
  const now = (await readClock(on)).getTime();
  const keys = rows.map(toKey);
  return { keys, now: Math.max(now, ...keys.map(({ createdAt }) => createdAt)) };
}

export type ActiveKey = Pick<StoredKey, 'environment' | 'kid' | 'sealed'>;

/**
 * The active key of each environment, by the rule of `stateOf` in signing-key.ts and the time of
 * `selectKeys`.
 */
export const selectActive = (on: Queryable) =>
  on.query<ActiveKey>(
    sql`
    select environment, kid, sealed
    from (select *, greatest(concord_now(), max(created_at) over (partition by environment)) as read_at from signing_key) keys
    where revoked_at is null and activates_at <= read_at and read_at < retires_at`,
    'active signing keys',
  );

const toKey = ({ public_jwk, created_at, activates_at, retires_at, revoked_at, ...key }: Row): StoredKey => ({
  ...key,
  publicJwk: public_jwk,
  createdAt: created_at.getTime(),
  activatesAt: activates_at.getTime(),
  retiresAt: retires_at.getTime(),
  revokedAt: revoked_at?.getTime() ?? null,
});

export const insertKey = (tx: Transaction, key: Omit<StoredKey, 'revokedAt'>) =>
  tx.query(sql`
    insert into signing_key (kid, environment, sequence, public_jwk, sealed, created_at, activates_at, retires_at)
    values (${key.kid}, ${key.environment}, ${key.sequence}, ${JSON.stringify(key.publicJwk)}, ${key.sealed},
      ${new Date(key.createdAt)}, ${new Date(key.activatesAt)}, ${new Date(key.retiresAt)})`);

export const updatePeriod = (tx: Transaction, { change: kid, to }: Move) =>
  tx.query(sql`
    update signing_key set activates_at = ${new Date(to.activatesAt)}, retires_at = ${new Date(to.retiresAt)} where kid = ${kid}`);

export const revokeKey = (tx: Transaction, kid: string) =>
  tx.query(sql`update signing_key set revoked_at = concord_now() where kid = ${kid} and revoked_at is null`);

// The SQL of signing keys.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import type { Environment, SigningKey } from './signing-key.ts';

/** The public key, without its kid. */
export type PublicJwk = { kty: 'EC'; crv: 'P-384'; x: string; y: string };
export type StoredKey = SigningKey & { readonly publicJwk: PublicJwk; readonly sealed: Buffer };

type Row = {
  kid: string;
  environment: Environment;
  sequence: number;
  public_jwk: PublicJwk;
  sealed: Buffer;
  created_at: Date;
  activates_at: Date;
  retires_at: Date;
  revoked_at: Date | null;
};

export async function selectEnvironment(on: Queryable, kid: string): Promise<Environment | undefined> {
  const [row] = await on.query<{ environment: Environment }>(
    sql`select environment from signing_key where kid = ${kid}`,
  );
  return row?.environment;
}

/** Only one transaction at a time changes the keys of an environment. */
export async function lockEnvironment(tx: Transaction, environment: Environment): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`concord signing keys ${environment}`}, 0))`,
  );
}

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
  const now = await readClock(on);
  const keys = rows.map(toKey);
  return { keys, now: Math.max(now.getTime(), ...keys.map(({ createdAt }) => createdAt)) };
}

export type ActiveKey = { environment: Environment; kid: string; sealed: Buffer };

/**
 * The active key of each environment, by the rule of `stateOf` in signing-key.ts and the time of
 * `selectKeys`.
 */
export async function selectActive(on: Queryable): Promise<ActiveKey[]> {
  return on.query<ActiveKey>(
    sql`
    select environment, kid, sealed
    from (select *, greatest(concord_now(), max(created_at) over (partition by environment)) as read_at from signing_key) keys
    where revoked_at is null and activates_at <= read_at and read_at < retires_at`,
    'active signing keys',
  );
}

function toKey(row: Row): StoredKey {
  return {
    kid: row.kid,
    environment: row.environment,
    sequence: row.sequence,
    publicJwk: row.public_jwk,
    sealed: row.sealed,
    createdAt: row.created_at.getTime(),
    activatesAt: row.activates_at.getTime(),
    retiresAt: row.retires_at.getTime(),
    revokedAt: row.revoked_at?.getTime() ?? null,
  };
}

export async function insertKey(tx: Transaction, key: Omit<StoredKey, 'revokedAt'>): Promise<void> {
  await tx.query(sql`
    insert into signing_key (kid, environment, sequence, public_jwk, sealed, created_at, activates_at, retires_at)
    values (${key.kid}, ${key.environment}, ${key.sequence}, ${JSON.stringify(key.publicJwk)}, ${key.sealed},
      ${new Date(key.createdAt)}, ${new Date(key.activatesAt)}, ${new Date(key.retiresAt)})`);
}

export async function updatePeriod(
  tx: Transaction,
  kid: string,
  { activatesAt, retiresAt }: Pick<SigningKey, 'activatesAt' | 'retiresAt'>,
): Promise<void> {
  await tx.query(sql`
    update signing_key set activates_at = ${new Date(activatesAt)}, retires_at = ${new Date(retiresAt)} where kid = ${kid}`);
}

export async function revokeKey(tx: Transaction, kid: string): Promise<void> {
  await tx.query(
    sql`update signing_key set revoked_at = concord_now() where kid = ${kid} and revoked_at is null`,
  );
}

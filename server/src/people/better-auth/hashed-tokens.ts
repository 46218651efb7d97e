// Hashes the tokens of better-auth on their way to the database, so that nobody can use what they read there
// or in a backup.
import { createHash } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { Kysely, PostgresDialect } from 'kysely';
import { hashSessionToken } from '../../access/index.ts';
import type { Database } from '../../base/postgres/database.ts';
import type { Encryption } from '../../base/secrets/index.ts';
import { fromAlias } from './address-aliases.ts';
import type { Failures } from './failures.ts';

type Adapter = ReturnType<ReturnType<typeof kyselyAdapter>>;
type InTransaction = Omit<Adapter, 'transaction'>;
type Where = Parameters<Adapter['deleteMany']>[0]['where'];
type Row = Record<string, unknown>;

/**
 * The kinds of tokens in `auth.verification`. Triggers find what a user began by these prefixes, so they stay
 * readable.
 */
const kinds = ['2fa-', 'trust-device-', 'reset-password:', 'auth-state:'];
/**
 * The state of a visit to a provider. Its value holds the state again, so it is sealed. Other values are user
 * ids and counts.
 */
const sealedKind = 'auth-state:';

export function hashIdentifier(identifier: string) {
  const kind = kinds.find((prefix) => identifier.startsWith(prefix)) ?? '';
  return kind + createHash('sha256').update(identifier).digest('hex');
}

/**
 * The field of each model that holds a token. A stored hash that somebody presents is hashed again, so it
 * finds nothing.
 */
const tokens: Readonly<Record<string, { field: string; hash: (token: string) => string }>> = {
  session: { field: 'token', hash: hashSessionToken },
  verification: { field: 'identifier', hash: hashIdentifier },
};

type Options = {
  pool: Database['pool'];
  encryption: Encryption;
  failures: Pick<Failures, 'note' | 'noting'>;
};

export function hashedDatabase({ pool, encryption, failures: { note, noting } }: Options) {
  const connect = noting(() => pool.connect());
  const kysely = new Kysely({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
    log(event) {
      if (event.level === 'error') note(event.error);
    },
  }).withSchema('auth');
  const create = kyselyAdapter(kysely, { type: 'postgres', transaction: true });
  return (options: Parameters<typeof create>[0]): Adapter => {
    const inner = create(options);
    const transaction: Adapter['transaction'] = (work) =>
      inner.transaction((tx) => work(hashing(tx, encryption)));
    return { ...inner, ...hashing(inner, encryption), transaction };
  };
}

/**
 * Queries with tokens become queries with hashes. A row that was found by its token carries the token again,
 * any other its hash.
 */
function hashing(inner: InTransaction, encryption: Encryption): InTransaction {
  function translate(model: string) {
    const token = tokens[model];
    const known = new Map<string, string>();
    function hash(plain: unknown): unknown {
      if (token === undefined || typeof plain !== 'string') return plain;
      const stored = token.hash(plain);
      known.set(stored, plain);
      return stored;
    }
    const isSealed = (stored: unknown) => model === 'verification' && String(stored).startsWith(sealedKind);
    return {
      where: <W extends Where | undefined>(where: W) =>
        where?.map((each) =>
          each.field !== token?.field
            ? { ...each, value: fromAlias(each.value) }
            : { ...each, value: Array.isArray(each.value) ? each.value.map(hash) : hash(each.value) },
        ) as W,
      data<D extends Row>(data: D): D {
        if (token === undefined || !(token.field in data)) return data;
        const stored = { ...data, [token.field]: hash(data[token.field]) };
        const id = stored[token.field];
        return isSealed(id)
          ? { ...stored, value: encryption.encrypt(String(data.value), String(id)).toString('base64') }
          : stored;
      },
      row<R>(row: R): R {
        if (token === undefined || row === null) return row;
        const stored = (row as Row)[token.field];
        const plain = known.get(String(stored));
        if (plain === undefined) return row;
        const { value } = row as Row;
        const opened = isSealed(stored) && {
          value: encryption.decrypt(Buffer.from(String(value), 'base64'), String(stored)),
        };
        return { ...row, [token.field]: plain, ...opened };
      },
    };
  }

  return {
    ...inner,
    async create<T extends Row, R = T>(query: Parameters<typeof inner.create<T, R>>[0]): Promise<R> {
      const { data, row } = translate(query.model);
      return row(await inner.create<T, R>({ ...query, data: data(query.data) }));
    },
    async findOne<T>(query: Parameters<typeof inner.findOne>[0]): Promise<T | null> {
      const { where, row } = translate(query.model);
      return row(await inner.findOne<T>({ ...query, where: where(query.where) }));
    },
    async findMany<T>(query: Parameters<typeof inner.findMany>[0]): Promise<T[]> {
      const { where, row } = translate(query.model);
      return (await inner.findMany<T>({ ...query, where: where(query.where) })).map(row);
    },
    async update<T>(query: Parameters<typeof inner.update>[0]): Promise<T | null> {
      const { where, data, row } = translate(query.model);
      return row(await inner.update<T>({ ...query, where: where(query.where), update: data(query.update) }));
    },
    updateMany(query) {
      const { where, data } = translate(query.model);
      return inner.updateMany({ ...query, where: where(query.where), update: data(query.update) });
    },
    async consumeOne<T>(query: Parameters<typeof inner.consumeOne>[0]): Promise<T | null> {
      const { where, row } = translate(query.model);
      return row(await inner.consumeOne<T>({ ...query, where: where(query.where) }));
    },
    async incrementOne<T>(query: Parameters<typeof inner.incrementOne>[0]): Promise<T | null> {
      const { where, row } = translate(query.model);
      return row(await inner.incrementOne<T>({ ...query, where: where(query.where) }));
    },
    count: (query) => inner.count({ ...query, where: translate(query.model).where(query.where) }),
    delete: (query) => inner.delete({ ...query, where: translate(query.model).where(query.where) }),
    deleteMany: (query) => inner.deleteMany({ ...query, where: translate(query.model).where(query.where) }),
  };
}

// The one way to the database: a pool, statements and transactions. Whatever fails here is a fault of ours: 500.
import { type ClientBase, Pool, type PoolConfig } from 'pg';
import type { Sql } from 'sql-template-tag';
import { createPipeline } from './pipeline.ts';

/** Runs one statement; inside a transaction, within it. */
export type Queryable = {
  /** `name` makes it a prepared statement, parsed once a connection; the text must always be the same for a name. */
  query<Row>(statement: Sql, name?: string): Promise<Row[]>;
};

export type Transaction = Queryable & { readonly inTransaction: true };

export type Database = Queryable & {
  /** For the one short statement that every request makes: it shares its connection, and holds up those behind it. */
  readonly pipelined: Queryable;
  /**
   * Commits when `work` resolves, rolls back when it rejects (READ COMMITTED). Two that wait for each other: the database lets one
   * go on, and the other is done again from its start, so `work` must have no effect outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The pool itself, for libraries that bring their own SQL. */
  readonly pool: Pool;
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>;
};

type DatabaseOptions = {
  connection: PoolConfig;
  maxConnections?: number;
  /** Of each connection of the pool, by `set`. */
  settings?: Readonly<Record<string, string>>;
  /** An idle connection was lost; the pool replaces it. */
  onConnectionLost: (error: Error) => void;
};

export function createDatabase({ connection, maxConnections = 10, settings = {}, onConnectionLost }: DatabaseOptions): Database {
  const config = {
    application_name: 'concord',
    ...connection,
    // A database that hangs must not hang a request: each wait has an end.
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
  };
  const set = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`);
  const onConnect = async (client: ClientBase) => void (await client.query(set.join('; ')));
  const pool = new Pool({ ...config, max: maxConnections, ...(set.length > 0 && { onConnect }) });
  let closing = false;
  const noteLoss = (error: Error) => {
    if (!closing) onConnectionLost(error);
  };
  const pipeline = createPipeline({ config, onConnectionLost: noteLoss });
  pool.on('error', noteLoss);
  // A connection that is lost while a transaction has it says so here too; its statement fails, and that is what counts.
  pool.on('connect', (client) => client.on('error', () => {}));

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptTransaction(work);
      } catch (error) {
        if (!isDeadlock(error) || attempt === maxAttempts) throw error;
      }
    }
  }

  async function attemptTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work({ ...queryable(() => client), inTransaction: true });
      await client.query('commit');
      return result;
    } catch (error) {
      // A connection that cannot even roll back is not given to anyone else.
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    ...queryable(() => pool),
    pipelined: queryable(() => pipeline.client()),
    transaction,
    pool,
    async close() {
      closing = true;
      await Promise.all([pool.end(), pipeline.close()]);
    },
  };
}

const maxAttempts = 3;
const isDeadlock = (error: unknown) => (error as { code?: unknown } | null)?.code === '40P01';

function queryable(runnerOf: () => Pool | ClientBase | Promise<ClientBase>): Queryable {
  return {
    async query<Row>({ text, values }: Sql, name?: string) {
      const runner = await runnerOf();
      const { rows } = await runner.query(name === undefined ? { text, values } : { name, text, values });
      return rows as Row[];
    },
  };
}

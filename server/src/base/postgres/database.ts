// The only access to the database: a pool, statements and transactions.

import { type ClientBase, Pool, type PoolConfig } from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { hasCode } from '../errors.ts';
import { setLocalLookUps } from './look-ups.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { createSocket, isUnreplicated, keepAlive, readOnly, setSession } from './session.ts';
import { type Answer, send } from './statement.ts';
import type { Turns } from './turns.ts';
import { TurnPool } from './turns.ts';

export type { Sql } from 'sql-template-tag';

export type Queryable = {
  /** `name` makes it a prepared statement, parsed once for each connection. A name has one text. */
  query<Row>(statement: Sql, name?: string): Promise<Row[]>;
  /**
   * Runs a statement whose rows nobody needs. In a transaction it resolves at once, and the statements that
   * follow are sent with it, or the commit: if it fails, they fail too, and nothing is committed.
   */
  write(statement: Sql, name?: string): Promise<void>;
};

export type Transaction = Queryable & {
  /**
   * Sends the commit together with the last statements, which saves a round trip. `statements` must send all
   * of them before it first waits. If one fails, PostgreSQL rolls back.
   */
  finish<T>(statements: () => Promise<T>): Promise<T>;
  /** Runs `effect` after the commit, and never after a rollback. `effect` must not throw. */
  afterCommit(effect: () => void): void;
  /** Notifies the listeners of a channel after the commit. It can be lost: listeners also poll. */
  notifyAfterCommit(channel: string, payload?: string): void;
};

/** Thrown inside a transaction: it commits, and then throws `refusal`. For refusals that change rows. */
export class CommitThenRefuse extends Error {
  readonly refusal: Error;

  constructor(refusal: Error) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
  }
}

/** Planned for look-ups of a few rows by an index (look-ups.ts). */
type TransactionOptions = { lookUps?: boolean };

export type Database = Queryable & {
  /** For the one short statement that every request makes. A slow one delays those behind it. */
  readonly pipelined: Queryable;
  /**
   * Commits when `work` resolves or throws CommitThenRefuse, and otherwise rolls back (READ COMMITTED).
   * After a deadlock `work` runs again, so outside the transaction it acts only through `afterCommit`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs work of a request that serves others, too: it waits for no turn, and goes on when the client leaves. */
  forAll<T>(work: () => T): T;
  /** Runs work of a request that is also of this owner, outside a transaction: it waits for a turn of that, too. */
  alsoFor<T>(owner: string, work: () => T): T;
  /** Runs work of a request that has waited in a queue of its own. */
  withoutTurn<T>(work: () => T): T;
  isAlive(): Promise<boolean>;
  readonly pool: Pool;
  close(): Promise<void>;
};

/** Must not throw. `startedAt`: of `performance.now()`. `error` undefined: success. */
export type DatabaseObserver = {
  statement(name: string, startedAt: number, error: unknown, isShared: boolean): void;
  connected(startedAt: number, error: unknown): void;
};

export type DatabaseOptions = {
  connection: PoolConfig;
  maxConnections?: number;
  settings?: Readonly<Record<string, string>>;
  turns?: Turns;
  onConnectionLost: (error: Error) => void;
  /** Called once until a notification succeeds again. */
  onNotificationLost?: (error: Error) => void;
  observer?: DatabaseObserver;
};

export type OpenDatabase = (
  options: Pick<DatabaseOptions, 'maxConnections' | 'settings' | 'turns'> & { pool: string },
) => Database;

export function createDatabase(options: DatabaseOptions): Database {
  const { turns, onConnectionLost, onNotificationLost, observer } = options;
  let closing = false;
  const noteLoss = (error: Error) => {
    if (!closing) onConnectionLost(error);
  };
  const { pool, config, unreplicated } = openPool(options);
  pool.on('error', noteLoss);
  const pipeline = createPipeline({ config, onConnectionLost: noteLoss });
  const notifier = createNotifier(
    async (statement) => void (await pool.query(statement)),
    onNotificationLost,
  );
  const forAll = turns?.runForAll ?? ((work) => work());
  const pipelined = queryable(
    (statement, name) =>
      outlastDeadlocks(() => pipeline.run((client) => send(client, statement, name).answer)),
    toStatement(observer, true),
  );
  let asking: Promise<boolean> | undefined;
  return {
    ...queryable(
      ({ text, values }, name) =>
        outlastDeadlocks(() => pool.query(name === undefined ? { text, values } : { name, text, values })),
      toStatement(observer),
    ),
    pipelined,
    transaction: createTransaction({ pool, turns, pipeline, notifier, unreplicated, forAll, observer }),
    forAll,
    alsoFor: turns?.runAlsoFor ?? ((_, work) => work()),
    withoutTurn: turns?.runWithoutTurn ?? forAll,
    isAlive() {
      asking ??= pipelined
        .query(sql`select 1`)
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          asking = undefined;
        });
      return asking;
    },
    pool,
    async close() {
      closing = true;
      await notifier.settle();
      await Promise.all([pool.end(), pipeline.close()]);
    },
  };
}

function openPool({ connection, maxConnections = 10, settings = {}, turns }: DatabaseOptions) {
  const config = {
    application_name: 'concord',
    ...connection,
    // Every wait is bounded: a database that hangs must not block requests.
    connectionTimeoutMillis: 5_000,
    query_timeout: 12_000,
    ...keepAlive,
    // Statements of a transaction that do not need each other's rows are sent together.
    pipeline: true,
    stream: createSocket,
  };
  const onConnect = async (client: ClientBase) => void (await client.query(setSession(settings)));
  const poolConfig = { ...config, max: maxConnections, onConnect };
  const pool = turns ? new TurnPool(poolConfig, turns) : new Pool(poolConfig);
  /** Connections whose last commit may not be on the synchronous standby. */
  const unreplicated = new WeakSet<ClientBase>();
  pool.on('connect', (client) => {
    // A connection that is lost inside a transaction emits an error, and its statement fails too.
    client.on('error', () => {});
    client.on('notice', (notice) => isUnreplicated(notice) && unreplicated.add(client));
  });
  return { pool, config, unreplicated };
}

type TransactionDeps = {
  pool: Pool;
  turns: Turns | undefined;
  pipeline: Pipeline;
  notifier: Notifier;
  unreplicated: WeakSet<ClientBase>;
  forAll: Database['forAll'];
  observer: DatabaseObserver | undefined;
};

function createTransaction({
  pool,
  turns,
  pipeline,
  notifier,
  unreplicated,
  forAll,
  observer,
}: TransactionDeps): Database['transaction'] {
  async function runOnce<T>(
    work: (tx: Transaction) => Promise<T>,
    effects: (() => void)[],
    { lookUps = false }: TransactionOptions = {},
  ): Promise<T | CommitThenRefuse> {
    const client = await timed(pool.connect(), observer && ((...times) => observer.connected(...times)));
    const endTransaction = turns?.beginTransaction();
    const sent = sendAll(client, toStatement(observer));
    let broken: Error | undefined;
    try {
      // Sent together with the first statement, which fails too if this one does.
      const begun = Promise.all(
        [begin, ...(lookUps ? [setLocalLookUps] : [])].map(
          (statement) => send(client, statement, statement.name).answer,
        ),
      );
      begun.catch(() => {});
      const afterCommit = (effect: () => void) => void effects.push(effect);
      const { query, write, finish } = sent;
      const outcome = await work({
        query,
        write,
        finish,
        afterCommit,
        notifyAfterCommit: (channel, payload = '') => afterCommit(() => notifier.notify(channel, payload)),
      }).catch((error: unknown) => {
        if (error instanceof CommitThenRefuse) return error;
        throw error;
      });
      await Promise.all([sent.commit(), begun]);
      if (unreplicated.delete(client))
        throw new Error(
          'The wait for the synchronous standby was cancelled. The primary has the transaction, the standby may lack it.',
        );
      return outcome;
    } catch (error) {
      // A connection that cannot roll back is closed.
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      const first = sent.cause() ?? error;
      if (first instanceof Error && hasCode(first, readOnly)) {
        broken = first;
        pipeline.renew();
      }
      throw hasCode(error, failedAlready) ? first : error;
    } finally {
      endTransaction?.();
      client.release(broken);
    }
  }

  return (work, options) =>
    outlastDeadlocks(async () => {
      const effects: (() => void)[] = [];
      const outcome = await runOnce(work, effects, options);
      forAll(() => {
        for (const effect of effects) effect();
      });
      if (outcome instanceof CommitThenRefuse) throw outcome.refusal;
      return outcome;
    });
}

// With a name, they are sent with the statements beside them, and parsed once.
const begin = { name: 'begin', text: 'begin' };
const commit = { name: 'commit', text: 'commit' };

const maxRuns = 3;
const deadlock = '40P01';

/** What PostgreSQL ends because of a deadlock has changed nothing. */
async function outlastDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await work();
    } catch (error) {
      if (!hasCode(error, deadlock) || run === maxRuns) throw error;
    }
  }
}

const failedAlready = '25P02';

function sendAll(client: ClientBase, tell: ToTell) {
  /** The first failure of a statement. Those that were sent after it fail because of it. */
  let cause: unknown;
  let unsent: Error | undefined;
  let committing: Promise<Answer> | undefined;

  const run: Run = (statement, name) => {
    if (committing) return Promise.reject(new Error('The commit of this transaction has been sent'));
    const { answer, failure } = send(client, statement, name);
    unsent ??= failure;
    return answer.catch((error: unknown) => {
      cause ??= error;
      throw error;
    });
  };
  const { query } = queryable(run, tell);
  /** PostgreSQL does not know of a statement that was not sent, and would commit the others. */
  const requireSent = () => {
    if (unsent) throw unsent;
  };
  const sendCommit = () => {
    requireSent();
    committing = timed(send(client, commit, commit.name).answer, tell(commit.name));
    committing.catch(() => {});
    return committing;
  };
  return {
    query,
    async write(statement: Sql, name?: string) {
      query(statement, name).catch(() => {});
      requireSent();
    },
    async finish<T>(last: () => Promise<T>): Promise<T> {
      const running = last();
      if (!unsent) sendCommit();
      return running;
    },
    async commit() {
      const { command } = await (committing ?? sendCommit());
      // PostgreSQL answers so when a statement has failed, even one for which nobody waits.
      if (command !== 'COMMIT') throw cause ?? new Error('The transaction was rolled back');
    },
    cause: () => cause,
  };
}

type Run = (statement: Sql, name?: string) => Promise<Answer>;

function queryable(run: Run, tell: ToTell): Queryable {
  const ask = async (statement: Sql, name?: string) => {
    try {
      return (await run(statement, name)).rows;
    } catch (error) {
      // Names the caller, where the driver names its parser.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };
  const query: Queryable['query'] = (statement, name) => timed(ask(statement, name), tell(name)) as never;
  return {
    query,
    async write(statement, name) {
      await query(statement, name);
    },
  };
}

type Tell = (startedAt: number, error: unknown) => void;
type ToTell = (name?: string) => Tell | undefined;

const toStatement =
  (observer: DatabaseObserver | undefined, isShared = false): ToTell =>
  (name = 'unnamed') =>
    observer && ((startedAt, error) => observer.statement(name, startedAt, error, isShared));

async function timed<T>(answer: Promise<T>, tell: Tell | undefined): Promise<T> {
  if (!tell) return answer;
  const startedAt = performance.now();
  let failure: unknown;
  try {
    return await answer;
  } catch (error) {
    failure = error ?? 'unknown';
    throw error;
  } finally {
    tell(startedAt, failure);
  }
}

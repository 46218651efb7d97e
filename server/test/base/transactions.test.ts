// Transactions: their effects, their last writes, and their prepared statements.
import type { Socket } from 'node:net';
import sql from 'sql-template-tag';
import { describe, expect, it, onTestFinished } from 'vitest';
import { partnerOnly } from '../../src/access/index.ts';
import { readAccess } from '../../src/access/store.ts';
import { CommitThenRefuse, type Transaction } from '../../src/base/postgres/database.ts';
import { createListen } from '../../src/base/postgres/notifications.ts';
import { newDatabase, openDatabase } from '../stage/new-database.ts';

describe('the effects after a commit', () => {
  /** A database with two rows, and the payloads of the notifications that its transactions send. */
  async function startDatabase() {
    const database = await newDatabase();
    await database.sql(`create table thing (name text unique deferrable initially deferred)`);
    await database.sql(`insert into thing values ('first'), ('second')`);
    const payloads: string[] = [];
    const notifications = createListen({ connectionString: database.url })('test', (payload) => {
      if (payload !== undefined) payloads.push(payload);
    });
    await notifications.start();
    onTestFinished(() => notifications.stop());
    const effects: string[] = [];
    const announce = (tx: Transaction, what: string) => {
      tx.afterCommit(() => effects.push(what));
      tx.notifyAfterCommit('test', what);
    };
    const lock = (tx: Transaction, name: string) =>
      tx.query(sql`select from thing where name = ${name} for update`);
    return { db: openDatabase(database.url), effects, payloads, announce, lock };
  }

  it('W19: run in order, and see the committed rows', async () => {
    const { db, effects, payloads, announce } = await startDatabase();
    const found: Promise<unknown[]>[] = [];
    const answer = await db.transaction(async (tx) => {
      await tx.query(sql`insert into thing values ('third')`);
      tx.afterCommit(() => found.push(db.query(sql`select from thing where name = 'third'`)));
      announce(tx, 'one');
      announce(tx, 'two');
      expect(effects).toEqual([]);
      return 'answer';
    });
    expect([answer, effects, (await found[0])?.length]).toEqual(['answer', ['one', 'two'], 1]);
    await expect.poll(() => payloads).toEqual(['one', 'two']);
  });

  it('W19: run after a transaction that commits and then refuses', async () => {
    const { db, effects, announce } = await startDatabase();
    const refused = db.transaction(async (tx) => {
      await tx.query(sql`insert into thing values ('kept')`);
      announce(tx, 'kept');
      throw new CommitThenRefuse(new Error('refused'));
    });
    await expect(refused).rejects.toThrow('refused');
    expect(effects).toEqual(['kept']);
    expect(await db.query(sql`select from thing where name = 'kept'`)).toHaveLength(1);

    // A commit that fails keeps nothing, and its own failure is the answer.
    const failed = db.transaction(async (tx) => {
      announce(tx, 'failed');
      await tx.query(sql`insert into thing values ('first')`);
      throw new CommitThenRefuse(new Error('refused'));
    });
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(effects).toEqual(['kept']);
  });

  it('W19: do not run after a rollback or a failed commit', async () => {
    const { db, effects, payloads, announce } = await startDatabase();
    const rolledBack = db.transaction(async (tx) => {
      announce(tx, 'rolled back');
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    // The commit itself checks the constraint.
    const refused = db.transaction(async (tx) => {
      announce(tx, 'refused');
      await tx.query(sql`insert into thing values ('first')`);
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    await db.transaction(async (tx) => announce(tx, 'committed'));
    // Notifications arrive in order, so any other notification would arrive before this one.
    await expect.poll(() => payloads.at(-1)).toBe('committed');
    expect([effects, payloads]).toEqual([['committed'], ['committed']]);
  });

  it('W19: run after a commit that was sent with the last statements, and not if one of these fails', async () => {
    const { db, effects, payloads, announce } = await startDatabase();
    const insert = (tx: Transaction, name: string) => tx.query(sql`insert into thing values (${name})`);
    const finished = await db.transaction(async (tx) => {
      await insert(tx, 'before');
      return tx.finish(async () => {
        await Promise.all([insert(tx, 'one'), insert(tx, 'two')]);
        announce(tx, 'committed');
        return 'finished';
      });
    });
    expect(finished).toBe('finished');
    await expect(
      db.transaction(async (tx) => {
        announce(tx, 'refused');
        await insert(tx, 'lost');
        await tx.finish(() => Promise.all([tx.query(sql`select 1 / 0`), insert(tx, 'lost too')]));
      }),
    ).rejects.toMatchObject({ code: '22012' });
    // The commit itself checks the constraint.
    await expect(
      db.transaction((tx) => {
        announce(tx, 'refused');
        return tx.finish(() => insert(tx, 'first'));
      }),
    ).rejects.toMatchObject({ code: '23505' });
    await expect.poll(() => payloads).toEqual(['committed']);
    expect(effects).toEqual(['committed']);
    const names = await db.query(
      sql`select name from thing where name not in ('first', 'second') order by name`,
    );
    expect(names).toEqual(['before', 'one', 'two'].map((name) => ({ name })));
  });

  it('W19: no statement follows a commit that was sent', async () => {
    const { db } = await startDatabase();
    const late = db.transaction((tx) =>
      tx.finish(async () => {
        await tx.query(sql`select 1`);
        await tx.query(sql`insert into thing values ('late')`);
      }),
    );
    await expect(late).rejects.toThrow('The commit of this transaction has been sent');
    expect(await db.query(sql`select from thing where name = 'late'`)).toEqual([]);
  });

  it('W19: run once after a deadlock, although the transaction runs twice', async () => {
    const { db, effects, payloads, announce, lock } = await startDatabase();
    const bothHoldOne = Promise.withResolvers<void>();
    const oneCommitted = Promise.withResolvers<void>();
    let [runs, holding] = [0, 0];
    const change = async (name: string, other: string) => {
      await db.transaction(async (tx) => {
        announce(tx, name);
        // The third run is the retry of the deadlock victim. It must not overtake the other transaction, or
        // they could deadlock again.
        if (++runs > 2) await oneCommitted.promise;
        await lock(tx, name);
        if (++holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await lock(tx, other);
      });
      oneCommitted.resolve();
    };
    await Promise.all([change('first', 'second'), change('second', 'first')]);
    expect([runs, effects.toSorted()]).toEqual([3, ['first', 'second']]);
    await db.transaction(async (tx) => announce(tx, 'last'));
    await expect.poll(() => payloads.at(-1)).toBe('last');
    expect(payloads.toSorted()).toEqual(['first', 'last', 'second']);
  });
});

describe('a write that nobody waits for', () => {
  async function startThings() {
    const { url } = await newDatabase();
    const db = openDatabase(url);
    await db.query(sql`create table thing (name text primary key)`);
    return {
      db,
      insert: (tx: Transaction, name: unknown) => tx.write(sql`insert into thing values (${name})`),
      names: async () =>
        (await db.query<{ name: string }>(sql`select name from thing`)).map(({ name }) => name),
    };
  }

  it('U1: is committed with the transaction, in the order of its statements', async () => {
    const { db, insert, names } = await startThings();
    const read = await db.transaction(async (tx) => {
      await insert(tx, 'first');
      const rows = await tx.query(sql`select from thing`);
      await insert(tx, 'second');
      return rows.length;
    });
    expect([read, await names()]).toEqual([1, ['first', 'second']]);
  });

  it('U1: fails the transaction, whether it is the last statement or not', async () => {
    const { db, insert, names } = await startThings();
    const effects: string[] = [];
    const failing = async (tx: Transaction) => {
      tx.afterCommit(() => void effects.push('committed'));
      await insert(tx, 'first');
      await insert(tx, 'first');
    };
    await expect(db.transaction(failing)).rejects.toMatchObject({ code: '23505' });
    const followed = db.transaction(async (tx) => {
      await failing(tx);
      await tx.query(sql`select from thing`);
    });
    await expect(followed).rejects.toMatchObject({ code: '23505' });
    expect([effects, await names()]).toEqual([[], []]);
  });

  it('U1: fails the transaction when a value cannot be sent', async () => {
    const { db, insert, names } = await startThings();
    const unsendable = {
      toPostgres() {
        throw new Error('no text');
      },
    };
    const failed = db.transaction(async (tx) => {
      await insert(tx, 'first');
      await insert(tx, unsendable);
    });
    await expect(failed).rejects.toThrow('no text');
    expect(await names()).toEqual([]);
  });

  it('U1: that is the victim of a deadlock runs again with its transaction', async () => {
    const { db, names } = await startThings();
    await db.query(sql`insert into thing values ('a'), ('b')`);
    const bothHoldOne = Promise.withResolvers<void>();
    const oneCommitted = Promise.withResolvers<void>();
    let [runs, holding] = [0, 0];
    const add = (tx: Transaction, name: string, more: string) =>
      tx.write(sql`update thing set name = name || ${more} where name like ${`${name}%`}`);
    const change = async (one: string, other: string) => {
      await db.transaction(async (tx) => {
        if (++runs > 2) await oneCommitted.promise;
        await add(tx, one, '1');
        await tx.query(sql`select 1`);
        if (++holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await add(tx, other, '2');
      });
      oneCommitted.resolve();
    };
    await Promise.all([change('a', 'b'), change('b', 'a')]);
    expect([runs, (await names()).map((name) => name.length)]).toEqual([3, [3, 3]]);
  });
});

describe('a prepared statement', () => {
  it('I1: answers the same when its columns are known', async () => {
    const { url } = await newDatabase();
    const ask = sql`select n, 60 / n as part, array[n] as list, null as nothing, timestamptz '2026-01-31 08:00Z' as at
      from generate_series(1, ${2}::int) as n`;
    const answer = [1, 2].map((n) => ({
      n,
      part: 60 / n,
      list: [n],
      nothing: null,
      at: new Date('2026-01-31T08:00:00Z'),
    }));
    await openDatabase(url).transaction(async (tx) => {
      const again = () => tx.query(ask, 'ask');
      expect([await again(), ...(await Promise.all([again(), again()]))]).toEqual(Array(3).fill(answer));
      const none = () => tx.query(sql`select n from generate_series(1, ${0}::int) as n`, 'none');
      expect([await none(), await none(), await again()]).toEqual([[], [], answer]);
    });
  });

  it('I1: answers after it has failed', async () => {
    const { url } = await newDatabase();
    const db = openDatabase(url, { maxConnections: 1 });
    const divide = (by: number) =>
      db.transaction((tx) => tx.query(sql`select 60 / ${by}::int as part`, 'divide'));
    for (const by of [2, 3]) {
      expect(await divide(by)).toEqual([{ part: 60 / by }]);
      await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    }
  });

  it('I1: is described once on a connection', async () => {
    const { url } = await newDatabase();
    const db = openDatabase(url, { maxConnections: 1 });
    const client = await db.pool.connect();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    client.release();
    const ask = () => db.transaction((tx) => tx.query(sql`select 1 as unmistakable`, 'ask'));
    let described = 0;
    stream.on('data', (bytes) => {
      if (bytes.includes('unmistakable')) described++;
    });
    const answers = [await ask(), await ask(), await ask()];
    expect([answers, described]).toEqual([Array(3).fill([{ unmistakable: 1 }]), 1]);
  });
});

describe('the access read of a mutation', () => {
  it('I1: keeps its plan', async () => {
    const { url } = await newDatabase();
    const plans = await openDatabase(url).transaction(async (tx) => {
      const query = {
        bearer: { kind: 'token', secret: Buffer.alloc(32) },
        parameters: {},
        read: partnerOnly,
      } as const;
      for (let n = 0; n < 8; n++) await readAccess(tx, [query]);
      return tx.query(
        sql`select custom_plans, generic_plans from pg_prepared_statements where statement like '%access_query%'`,
      );
    });
    // PostgreSQL plans the first five anew, to compare. Then it keeps a plan that is as good.
    expect(plans).toEqual([{ custom_plans: '5', generic_plans: '3' }]);
  });
});

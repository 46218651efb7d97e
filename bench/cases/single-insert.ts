// The yardstick of writes.
import type { Case } from '../case.ts';
import { connectSql, startService } from '../concord.ts';
import { ask } from '../context.ts';
import type { Loaded } from '../load.ts';
import { connections, durationOf, reportRequests } from '../requests.ts';
import { observe } from '../usage.ts';

export const singleInsert: Case = {
  name: 'single_insert',
  about: 'yardstick: one committed row by a prepared statement, from 64 clients of the same PostgreSQL',
  limitMinutes: 2,
  async measure(context) {
    const { pid, postmaster, connection } = await startService(context);
    const sql = await connectSql(context, connection);
    await sql.query(
      'create table bench_row (id uuid primary key, name text not null, created_at timestamptz not null default now())',
    );
    const durationMs = durationOf(context.quick);
    const args = [JSON.stringify({ connection, clients: connections, durationMs })];
    const inserter = context.fork(new URL('../processes/inserter.ts', import.meta.url), { args });
    await ask(inserter);
    const insert = () => ask<Loaded>(inserter, 'insert');
    await insert();
    const trees = {
      service: { root: pid, without: [postmaster] },
      postgres: { root: postmaster },
      load: { root: process.pid, without: [pid] },
    };
    return reportRequests('single_insert', await observe(trees, insert));
  },
};

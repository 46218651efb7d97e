// A service with its database, a receiver of webhooks and a load generator, and what each of them uses.
import type { Client } from 'pg';
import { type Api, signIn } from './api.ts';
import { connectSql, type ServiceOptions, startService } from './concord.ts';
import type { Context } from './context.ts';
import { type Load, type Loaded, startGenerator } from './load.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { observe, type Use } from './usage.ts';

export type Stage = {
  api: Api;
  receiver: Receiver;
  /** The database of the service. */
  sql: Client;
  load(load: Omit<Load, 'url'>): Promise<Loaded>;
  /** Does work, and tells what it used. */
  observe<T>(work: () => Promise<T>): Promise<{ result: T; use: Use }>;
};

export async function startStage(context: Context, options: ServiceOptions = {}): Promise<Stage> {
  const service = await startService(context, options);
  // It ends before the service, which then does not wait for endpoints that hang.
  const receiver = await startReceiver(context);
  const generator = startGenerator(context);
  const trees = {
    service: { root: service.pid, without: [service.postmaster] },
    postgres: { root: service.postmaster },
    receiver: { root: receiver.pid },
    // This process, which sends single requests, and the generator.
    load: { root: process.pid, without: [service.pid, receiver.pid] },
  };
  return {
    api: await signIn(service.url),
    receiver,
    sql: await connectSql(context, service.connection),
    load: (load) => generator.run({ ...load, url: service.url }),
    observe: (work) => observe(trees, work),
  };
}

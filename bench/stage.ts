// A service with its database, a receiver of webhooks and a load generator, and what each of them uses.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { tlsForTests } from '../server/test/stage/tls.ts';
import { connectSql, operator, startService } from './concord.ts';
import { ask, type Context } from './context.ts';
import { type Load, type Loaded, startGenerator } from './load.ts';
import { observe, type Use } from './usage.ts';

export type Api = {
  readonly url: string;
  readonly token: string;
  /** The body of the response, which must be a success. */
  post(path: string, body: object): Promise<Record<string, string>>;
};

export type Stage = {
  readonly quick: boolean;
  /** The API, called as the first operator. */
  api: Api;
  receiver: Receiver;
  sql: Client;
  load(load: Omit<Load, 'url'>): Promise<Loaded>;
  observe<T>(work: () => Promise<T>): Promise<{ result: T; use: Use }>;
};

type Settings = {
  /** It has the database. By default it is a new one. */
  dataDir?: string;
  /** Of the receiver. */
  protocol?: 'http' | 'https';
};

export async function startStage(
  context: Context,
  { dataDir, protocol = 'http' }: Settings = {},
): Promise<Stage> {
  const authority = join(context.folder, 'receiver.pem');
  writeFileSync(authority, tlsForTests.cert);
  const service = await startService(context, dataDir, { NODE_EXTRA_CA_CERTS: authority });
  // It ends before the service, which then does not wait for endpoints that hang.
  const receiver = await startReceiver(context, protocol);
  const generate = startGenerator(context);
  const trees = {
    service: { root: service.pid, without: [service.postmaster] },
    postgres: { root: service.postmaster },
    receiver: { root: receiver.pid },
    // This process, which sends single requests, and the generator.
    load: { root: process.pid, without: [service.pid, receiver.pid] },
  };
  return {
    quick: context.quick,
    api: await signIn(service.url),
    receiver,
    sql: await connectSql(context, service.connection),
    load: (load) => generate({ ...load, url: service.url }),
    observe: (work) => observe(trees, work),
  };
}

async function signIn(url: string): Promise<Api> {
  const { token = '' } = await post(`${url}/api/auth/sign-in/email`, {}, operator);
  return { url, token, post: (path, body) => post(url + path, { authorization: `Bearer ${token}` }, body) };
}

async function post(url: string, headers: object, body: object): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

type Receiver = {
  readonly pid: number;
  /** Answers 204 to every request; under `/slow` after 20 ms, under `/hang` never. */
  readonly url: string;
  /**
   * When the first and the last of the next `count` requests arrived, as of `now()`. Requests count from the
   * last call on.
   */
  arrived(count: number): Promise<{ first: number; last: number }>;
};

async function startReceiver(context: Context, protocol: string): Promise<Receiver> {
  const child = context.fork(new URL('./processes/receiver.ts', import.meta.url), { args: [protocol] });
  const { port } = await ask<{ port: number }>(child);
  return {
    pid: child.pid ?? 0,
    url: `${protocol}://127.0.0.1:${port}`,
    arrived: (count) => ask(child, count),
  };
}

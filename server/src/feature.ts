// A feature as one value, which is everything that `service.ts` knows about it.
import type { Logger } from 'pino';
import { registerHealth } from './http/health.ts';
import { boundLargeBodies } from './http/large-bodies.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import type { ScheduledTask } from './postgres/scheduled-tasks.ts';

export type Feature = {
  /** Registers its routes. Called once, before the server listens. */
  readonly routes?: (server: HttpServer) => void | Promise<void>;
  readonly tasks?: readonly ScheduledTask[];
  /** Called once, in the order of the list, after the migrations and before the server listens. */
  readonly start?: () => Promise<void>;
  /** Finishes its work within `patienceMs`. Called for all features at once, even for features that were not started. */
  readonly stop?: (patienceMs: number) => Promise<void>;
  /** Ends what requests use. Called after every `stop`, when no request is in flight. */
  readonly close?: () => Promise<void>;
};

type ServerOptions = { logger: Logger; trustedProxies: readonly string[]; isReady: () => Promise<boolean> };

/** A server with the routes of these features and of health. Building it makes no connection. */
export async function createServer(features: readonly Feature[], { isReady, ...options }: ServerOptions): Promise<HttpServer> {
  const server = createHttpServer(options);
  boundLargeBodies(server);
  for (const feature of features) await feature.routes?.(server);
  registerHealth(server, isReady);
  server.closeMethods();
  await server.ready();
  return server;
}

// A feature as one value, which is everything that `features.ts` and `service.ts` know about it.
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import { ownersOf } from './http/callers.ts';
import { registerHealth } from './http/health.ts';
import { boundLargeBodies } from './http/large-bodies.ts';
import { createHttpServer, type HttpServer, type RewriteTarget } from './http/server.ts';
import type { ClockSetBack } from './postgres/clock-watch.ts';
import type { Transaction } from './postgres/database.ts';
import type { ScheduledTask } from './postgres/scheduled-tasks.ts';
import type { Turns } from './postgres/turns.ts';

/** `email` is the normalized address. Null: the person has not proven it. */
export type Person = { readonly userId: string; readonly sessionId: string; readonly email: string | null };

/**
 * A person who is being deleted. `emails`: the address, and every other address or spelling of one that only
 * this person had.
 */
type DeletedPerson = { readonly userId: string; readonly name: string; readonly emails: readonly string[] };

/** Blanks what names a person, in the transaction of the deletion, before the user is deleted. */
export type ErasePerson = (tx: Transaction, person: DeletedPerson) => Promise<void>;

/** A member of the export of a person's data (behaviour U12). */
export type PersonalData = {
  readonly name: string;
  /** Of an item. The member is a list, unless it is `single`. */
  readonly schema: TSchema;
  readonly single?: true;
  /** In batches, of which one is in memory at a time. Without secrets. */
  read(person: Person): AsyncIterable<readonly object[]>;
};

export type Feature = {
  /** Registers its routes. Called once, before the server listens. */
  readonly routes?: (server: HttpServer) => void | Promise<void>;
  /** Of one feature at most. */
  readonly rewriteTarget?: RewriteTarget;
  readonly tasks?: readonly ScheduledTask[];
  /** What it knows about a person. */
  readonly personalData?: readonly PersonalData[];
  readonly erasePerson?: ErasePerson;
  readonly clockSetBack?: ClockSetBack;
  /** Called once, in the order of the list, after the migrations and before the server listens. */
  readonly start?: () => Promise<void>;
  /**
   * Finishes its work within `patienceMs`. Called for all features at once, even for features that were not
   * started.
   */
  readonly stop?: (patienceMs: number) => Promise<void>;
  /** Ends what requests use. Called after every `stop`, when no request is in flight. */
  readonly close?: () => Promise<void>;
};

type ServerOptions = {
  logger: Logger;
  trustedProxies: readonly string[];
  isReady: () => Promise<boolean>;
  turns?: Pick<Turns, 'runFor'>;
};

/** A server with the routes of these features and of health. Building it makes no connection. */
export async function createServer(
  features: readonly Feature[],
  { isReady, turns, ...options }: ServerOptions,
): Promise<HttpServer> {
  const rewriteTarget = features.find((feature) => feature.rewriteTarget)?.rewriteTarget;
  const server = createHttpServer({ ...options, rewriteTarget });
  boundLargeBodies(server);
  // The last hook before the handler. What runs before it makes short statements only.
  if (turns) server.addHook('preHandler', (request, _reply, done) => turns.runFor(ownersOf(request), done));
  for (const feature of features) await feature.routes?.(server);
  registerHealth(server, isReady);
  server.closeMethods();
  await server.ready();
  return server;
}

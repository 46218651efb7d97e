// What the program knows about a feature.
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import { ownersOf } from './http/callers.ts';
import { registerHealth } from './http/health.ts';
import { boundLargeBodies } from './http/large-bodies.ts';
import { onlyReads } from './http/request-headers.ts';
import { createHttpServer, type HttpServer, type RewriteTarget } from './http/server.ts';
import type { ClockSetBack } from './postgres/clock-watch.ts';
import type { Transaction } from './postgres/database.ts';
import type { ScheduledTask } from './postgres/scheduled-tasks.ts';
import type { Turns } from './postgres/turns.ts';

/** `email` is the normalized address. Null: the person has not proven it. */
export type Person = { readonly userId: string; readonly sessionId: string; readonly email: string | null };

/** `names`: also earlier ones. `emails`: the address, and others that only this person had. */
type DeletedPerson = {
  readonly userId: string;
  readonly names: readonly string[];
  readonly emails: readonly string[];
};

/** Blanks what names a person, in the transaction of the deletion. */
export type ErasePerson = (tx: Transaction, person: DeletedPerson) => Promise<void>;

/** A member of the export of a person's data (behaviour U12). */
export type PersonalData = {
  readonly name: string;
  /** The schema of an item. The member is a list, unless it is `single`. */
  readonly schema: TSchema;
  readonly single?: true;
  /** In batches, without secrets. */
  read(person: Person): AsyncIterable<readonly object[]>;
};

export type Feature = {
  readonly routes?: (server: HttpServer) => void | Promise<void>;
  /** At most one feature has it. */
  readonly rewriteTarget?: RewriteTarget;
  readonly tasks?: readonly ScheduledTask[];
  readonly personalData?: readonly PersonalData[];
  readonly erasePerson?: ErasePerson;
  readonly clockSetBack?: ClockSetBack;
  /** Called in the order of the list, after the migrations. */
  readonly start?: () => Promise<void>;
  /** Called for all features at once, even for features that were not started. */
  readonly stop?: (patienceMs: number) => Promise<void>;
  /** Called after every `stop`, when no request is in flight. */
  readonly close?: () => Promise<void>;
};

type ServerOptions = {
  logger: Logger;
  trustedProxies: readonly string[];
  isReady: () => Promise<boolean>;
  turns?: Pick<Turns, 'runFor'>;
};

/** Makes no connection. */
export async function createServer(
  features: readonly Feature[],
  { isReady, turns, ...options }: ServerOptions,
): Promise<HttpServer> {
  const rewriteTarget = features.find((feature) => feature.rewriteTarget)?.rewriteTarget;
  const server = createHttpServer({ ...options, rewriteTarget });
  boundLargeBodies(server);
  // What runs before the handler makes short statements only.
  if (turns)
    server.addHook('preHandler', (request, reply, done) =>
      turns.runFor(ownersOf(request), done, onlyReads(request) ? reply.raw : undefined),
    );
  for (const feature of features) await feature.routes?.(server);
  registerHealth(server, isReady);
  server.closeMethods();
  await server.ready();
  return server;
}

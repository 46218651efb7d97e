// A proxy between a program and PostgreSQL that stops at a statement: before PostgreSQL gets it, or before the
// program gets its answer. What it holds arrives after `release`, or never.
import { connect, createServer, type Socket } from 'node:net';
import { startListening } from './listen.ts';
import { proxied } from './network.ts';

/**
 * The names of prepared statements that a connection runs in this order. `before`: PostgreSQL does not get the last
 * one. `sent`: it gets it, and nothing is held. `answered`: it has run the last one, and the program does not get the
 * answer.
 */
export type Stop = { readonly at: 'before' | 'sent' | 'answered'; readonly statements: readonly string[] };
type Running = Stop & { left: number; reached(): void };

export type StatementGate = Awaited<ReturnType<typeof startStatementGate>>;

export async function startStatementGate(target: string) {
  const { there, urlAt } = proxied(target);
  const sockets = new Set<Socket>();
  const stops: Running[] = [];
  const names = new Set<string>();
  const releases: (() => void)[] = [];
  let outlives = false;
  const proxy = createServer((near) => {
    const far = connect(there);
    const link = createLink(stops, names);
    const readClient = createReader(true);
    const readServer = createReader(false);
    near.on('data', (chunk: Buffer) => {
      far.write(Buffer.concat(readClient(chunk).filter(link.passesToServer)));
    });
    far.on('data', (chunk: Buffer) => {
      near.write(Buffer.concat(readServer(chunk).filter(link.passesToClient)));
    });
    releases.push(() => {
      const { toServer, toClient } = link.release();
      far.write(toServer);
      near.write(toClient);
    });
    for (const socket of [near, far]) sockets.add(socket.setNoDelay().on('error', () => {}));
    far.on('close', () => near.destroy());
    near.on('close', () => {
      if (!outlives) far.destroy();
    });
  });
  const { port, close } = await startListening(proxy);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: urlAt(port),
    /** Those of the prepared statements that it has seen. */
    names,
    /** The next connections that come there stop, this many. Resolves when all have. */
    stopAt(stop: Stop, count = 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      let stopped = 0;
      const reached = () => {
        if (++stopped === count) resolve();
      };
      stops.push({ ...stop, left: count, reached });
      return promise;
    },
    release() {
      for (const release of releases) release();
    },
    forget() {
      stops.length = 0;
    },
    /** From now on PostgreSQL does not see that a program has ended, until `cut`. */
    outlive() {
      outlives = true;
    },
    /** Ends every connection. The program can make others. */
    cut,
    close() {
      close();
      cut();
    },
  };
}

/** One connection. Each statement ends with a Sync, and each Sync has an answer that ends with ReadyForQuery. */
function createLink(stops: readonly Running[], names: Set<string>) {
  /** How many statements of a stop it has run. */
  const seen = new Map<Running, number>();
  let asked = 1;
  let answered = 0;
  let isBlocked = false;
  let heldAnswer = Number.POSITIVE_INFINITY;
  let heldFor: Running | undefined;
  const held = { toServer: [] as Buffer[], toClient: [] as Buffer[] };

  /** The stop whose last statement this is. */
  function stopHere(message: Buffer) {
    if (typeOf(message) !== 'B') return undefined;
    const [, name = ''] = message.subarray(5).toString('latin1').split('\0', 2);
    if (name !== '') names.add(name);
    return stops.find((stop) => {
      const before = seen.get(stop) ?? 0;
      if (stop.left === 0 || name !== stop.statements[before]) return false;
      seen.set(stop, (before + 1) % stop.statements.length);
      return before + 1 === stop.statements.length;
    });
  }

  return {
    passesToServer(message: Buffer) {
      if (isBlocked) {
        held.toServer.push(message);
        return false;
      }
      const stop = heldFor === undefined ? stopHere(message) : undefined;
      if (stop) {
        stop.left--;
        if (stop.at === 'before') {
          isBlocked = true;
          held.toServer.push(message);
          stop.reached();
          return false;
        }
        if (stop.at === 'sent') {
          stop.reached();
        } else {
          heldAnswer = asked;
          heldFor = stop;
        }
      }
      if (['S', 'Q'].includes(typeOf(message))) asked++;
      return true;
    },
    passesToClient(message: Buffer) {
      const passes = answered < heldAnswer;
      if (typeOf(message) === 'Z' && answered++ === heldAnswer) heldFor?.reached();
      if (!passes) held.toClient.push(message);
      return passes;
    },
    release() {
      isBlocked = false;
      heldAnswer = Number.POSITIVE_INFINITY;
      heldFor = undefined;
      for (const message of held.toServer) if (['S', 'Q'].includes(typeOf(message))) asked++;
      return {
        toServer: Buffer.concat(held.toServer.splice(0)),
        toClient: Buffer.concat(held.toClient.splice(0)),
      };
    },
  };
}

const typeOf = (message: Buffer) => String.fromCharCode(message[0] ?? 0);

/** Splits bytes into messages: a type, and the length of the rest. The first one of a client has no type. */
function createReader(isClient: boolean) {
  let rest = Buffer.alloc(0);
  let head = isClient ? 0 : 1;
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const end = rest.length < head + 4 ? Number.POSITIVE_INFINITY : head + rest.readUInt32BE(head);
      if (rest.length < end) return messages;
      messages.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      head = 1;
    }
  };
}

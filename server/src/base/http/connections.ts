// Bounds of connections: how many, how many requests on one, and how long a client may take nothing.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createTally } from '../tally.ts';
import { addressGroup } from './address-group.ts';

/** Fewer than the files that a process may usually open. */
const maxConnections = 10_000;
const maxConnectionsPerAddress = 1_000;
/** Pipelined requests on one connection. */
const maxUnanswered = 100;
/** A client that takes nothing for this long is gone, or holds our memory on purpose. */
const stallMs = 30_000;
const sweepEveryMs = 5_000;
/** Clients cause refusals, so few lines of the log tell them. */
const tellEveryMs = 60_000;

type Options = {
  /** Addresses and CIDRs. A proxy carries the connections of many clients. */
  trustedProxies: readonly string[];
  maxPerAddress?: number;
  /** `address`: or all. Called once a minute at most. */
  onRefusal: (refused: { address: string; limit: number }) => void;
  nowMs?: () => number;
};

type Connection = { readonly group: string; unanswered: number; sent: number; progressAtMs: number };

/** The server calls `sweep` every 5 s. */
export function boundConnections(
  server: Server,
  {
    trustedProxies,
    maxPerAddress = maxConnectionsPerAddress,
    onRefusal,
    nowMs = () => performance.now(),
  }: Options,
): { sweep(): void } {
  const connections = new Map<Socket, Connection>();
  const perGroup = createTally();
  const isProxy = matcherOf(trustedProxies);
  server.maxConnections = maxConnections;
  let toldAtMs = -Infinity;
  function tellRefusal(address: string, limit: number): void {
    if (nowMs() - toldAtMs < tellEveryMs) return;
    toldAtMs = nowMs();
    onRefusal({ address, limit });
  }
  server.on('drop', () => tellRefusal('all', maxConnections));

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const group = addressGroup(address);
    if (perGroup.of(group) >= maxPerAddress && !isProxy(address)) {
      socket.destroy();
      tellRefusal(group, maxPerAddress);
      return;
    }
    perGroup.add(group, 1);
    connections.set(socket, { group, unanswered: 0, sent: 0, progressAtMs: nowMs() });
    socket.once('close', () => {
      connections.delete(socket);
      perGroup.add(group, -1);
    });
  });

  server.on('request', ({ socket }: { socket: Socket }, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    if (++connection.unanswered > maxUnanswered) socket.destroy();
    response.once('close', () => connection.unanswered--);
  });

  function sweep(): void {
    const at = nowMs();
    for (const [socket, connection] of connections) {
      // Answers are written in pieces (pieces.ts), so this grows while the client reads.
      const sent = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || sent !== connection.sent) connection.progressAtMs = at;
      else if (at - connection.progressAtMs > stallMs) socket.destroy();
      connection.sent = sent;
    }
  }

  const timer = setInterval(sweep, sweepEveryMs).unref();
  server.once('close', () => clearInterval(timer));
  return { sweep };
}

function matcherOf(cidrs: readonly string[]): (address: string) => boolean {
  const ranges = cidrs.map((text) =>
    text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`,
  );
  const parsed = ranges.map((range) => ipaddr.parseCIDR(range));
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return parsed.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  };
}

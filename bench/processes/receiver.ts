// A receiver of webhooks, with TLS if its argument is `https`: it answers 204 at once, after 20 ms under /slow, or never
// under /hang. Asked for a number of requests, it says when they arrived.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tlsForTests } from '../../server/test/stage/tls.ts';
import { now } from '../statistics.ts';

let arrivals: number[] = [];
let wanted = Number.POSITIVE_INFINITY;

const receive = ((request, response) => {
  if (request.url?.startsWith('/hang')) return;
  arrivals.push(now());
  const answerAfterMs = request.url?.startsWith('/slow') ? 20 : 0;
  const respond = () => response.writeHead(204).end();
  request.resume().on('end', () => (answerAfterMs > 0 ? setTimeout(respond, answerAfterMs) : respond()));
  answer();
}) satisfies RequestListener;
const options = { keepAliveTimeout: 60_000 };
const server = (
  process.argv[2] === 'https'
    ? createTlsServer({ ...options, ...tlsForTests }, receive)
    : createServer(options, receive)
).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (count) => {
  wanted = count as number;
  answer();
});

function answer(): void {
  if (arrivals.length < wanted) return;
  process.send?.({ first: arrivals[0], last: arrivals.at(-1) });
  arrivals = [];
  wanted = Number.POSITIVE_INFINITY;
}

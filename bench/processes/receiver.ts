// A receiver of webhooks: it answers 204, or never under /hang. Its messages say when requests arrived.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { now } from '../statistics.ts';

let arrivals: number[] = [];
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url?.startsWith('/hang')) return;
  arrivals.push(now());
  request.resume().on('end', () => response.writeHead(204).end());
}).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (message) => {
  if (message === 'count') {
    process.send?.({ count: arrivals.length });
  } else {
    process.send?.({ arrivals });
    arrivals = [];
  }
});

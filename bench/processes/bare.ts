// The yardstick of HTTP: answers every request with the JSON that it is started with, and does nothing else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [json = ''] = process.argv.slice(2);
const server = createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end(json),
).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

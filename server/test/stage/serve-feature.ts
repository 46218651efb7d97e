// A server with one feature alone, without a database.
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createServer, type Feature } from '../../src/base/feature.ts';

/** Returns the port. It stops when the test finishes. */
export async function serveFeature(feature: Feature): Promise<number> {
  const options = { logger: pino({ level: 'silent' }), trustedProxies: [], isReady: async () => true };
  const server = await createServer([feature], options);
  await server.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return (server.server.address() as AddressInfo).port;
}

// The instruments that features report to, /metrics, and a port of its own for scrapes.
import { Type } from 'typebox';
import { type Access, createRoutes } from '../../access/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Database } from '../../base/postgres/database.ts';
import { contentType, createExposition, type ProcessValues } from './exposition.ts';
import { createInstallation, type Readers } from './installation.ts';
import type { Instruments } from './instruments.ts';
import { createMetricsPort } from './port.ts';

export type { ProcessValues } from './exposition.ts';
export { readers } from './installation.ts';
export { createInstruments, type Instruments } from './instruments.ts';
export type { Values } from './values.ts';

type Options = {
  instruments: Instruments;
  access: Access;
  /** A scrape must not wait for the connections of requests. */
  db: Database;
  readers: Readers;
  workers: () => Promise<readonly ProcessValues[]>;
  wantedWorkers: number;
  host: string;
  /** Null: no port of its own. */
  port: number | null;
  announce: (line: string) => void;
  /** `values`: those that could not be read from the database. */
  onFailure: (error: unknown, values?: readonly string[]) => void;
};

export function createMetrics(options: Options): Feature {
  const { instruments, access, db, host, port, announce, onFailure } = options;
  const { read: installation } = createInstallation(options);
  const write = createExposition({ ...options, own: instruments.read, installation });
  const scrapes = port === null ? null : createMetricsPort({ host, port, write, onFailure });
  return {
    routes(server) {
      server.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
        instruments.http.answered(
          request.method,
          request.is404 ? undefined : request.routeOptions.url,
          statusCode,
          elapsedTime,
        );
        done();
      });
      registerRoute(server, access, write);
    },
    async start() {
      instruments.process.start();
      if (scrapes)
        announce(
          `Metrics are at http://${host.includes(':') ? `[${host}]` : host}:${await scrapes.start()}/metrics`,
        );
    },
    async close() {
      instruments.process.stop();
      await scrapes?.stop();
      await db.close();
    },
  };
}

function registerRoute(server: HttpServer, access: Access, write: () => Promise<string>): void {
  createRoutes(server, 'Platform').plain('GET', '/metrics', {
    operationId: 'getMetrics',
    summary: 'Get the metrics of the instance (operators)',
    description:
      'The text format of Prometheus, version 0.0.4. An access token needs the scope `deliveries.query`.',
    access: access.onPlatform({ resource: 'deliveries', method: 'query' }),
    answer: Type.Unsafe<string>({
      description: 'The metrics',
      content: { 'text/plain': { schema: Type.String() } },
    }),
    async run({ reply }) {
      void reply.type(contentType);
      return write();
    },
  });
}

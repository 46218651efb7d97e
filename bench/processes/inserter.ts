// The yardstick of writes: clients that insert one row each, again and again, with a prepared statement that
// commits by itself.
import { randomUUID } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { now, percentile } from '../statistics.ts';

type Order = { connection: ClientConfig; clients: number; durationMs: number };

const { connection, clients, durationMs } = JSON.parse(process.argv[2] ?? '') as Order;
const open = await Promise.all(
  Array.from({ length: clients }, async () => {
    const client = new Client(connection);
    await client.connect();
    return client;
  }),
);
const insert = { name: 'insert', text: 'insert into bench_row (id, name) values ($1, $2)' };
// end-with-parent.ts unrefs the channel.
process.channel?.ref();
process.on('message', async () => process.send?.(await insertRows()));
process.send?.('connected');

async function insertRows() {
  const latencies: number[] = [];
  const startedAt = now();
  await Promise.all(
    open.map(async (client) => {
      while (now() < startedAt + durationMs) {
        const before = now();
        await client.query({ ...insert, values: [randomUUID(), 'Acme'] });
        latencies.push(now() - before);
      }
    }),
  );
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(latencies, share));
  return { requests: latencies.length, startedAt, endedAt: now(), p50, p95, p99 };
}

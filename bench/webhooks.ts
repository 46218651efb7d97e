// What the cases about webhooks share: a receiver, partners with endpoints, and deliveries by two workers.
import { setTimeout as delay } from 'node:timers/promises';
import { type Api, signIn } from './api.ts';
import { startProcess } from './concord.ts';
import { ask, type Context } from './context.ts';
import { now } from './statistics.ts';

/** Of the database server. */
export const webhookSettings = { max_connections: '100', shared_buffers: '1GB', max_wal_size: '8GB' };
export const event = { type: 'inventory.updated', data: { sku: 'NX-1', quantity: 12, location: 'Oslo' } };
const eventsPerEndpoint = 20;

export type Receiver = {
  /** Answers 204 to every request; under `/hang` it never answers. */
  readonly url: string;
  /** The times of all requests since the last call, as of `now()`. */
  arrivals(): Promise<number[]>;
  /** Waits until so many requests arrived since the last call of `arrivals`. */
  untilArrived(count: number): Promise<void>;
};

export async function startReceiver(context: Context): Promise<Receiver> {
  const child = context.fork(new URL('./processes/receiver.ts', import.meta.url));
  const { port } = await ask<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals: async () => (await ask<{ arrivals: number[] }>(child, 'arrivals')).arrivals,
    async untilArrived(count) {
      while ((await ask<{ count: number }>(child, 'count')).count < count) await delay(50);
    },
  };
}

/** Starts a process that answers requests and sends no webhooks. */
export async function startApi(context: Context, databaseUrl: string): Promise<Api> {
  const { url } = await startProcess(context, { databaseUrl, role: 'api' });
  return signIn(url);
}

/** The id of a new partner with endpoints under this URL. */
export async function createPartner(api: Api, endpoints: number, url: string): Promise<string> {
  const { id = '' } = await api.post('/partners', { name: 'Acme' });
  for (let n = 0; n < endpoints; n++) await api.post(`/partners/${id}/webhook-endpoints`, { url: `${url}/${n}` });
  return id;
}

export const publish = (api: Api, partnerId: string, count: number) =>
  api.post(`/partners/${partnerId}/events/batch`, Array(count).fill(event));

/** Partners with 1,000 endpoints that answer: the crowd that `deliverToCrowd` publishes to. */
export type Crowd = { partnerIds: string[]; endpoints: number };

export async function createCrowd(api: Api, { url }: Receiver, quick: boolean): Promise<Crowd> {
  const endpointsEach = quick ? 10 : 100;
  const partnerIds = await Promise.all(Array.from({ length: 10 }, () => createPartner(api, endpointsEach, url)));
  return { partnerIds, endpoints: partnerIds.length * endpointsEach };
}

/** `signer` is CONCORD_SIGNER of the workers. */
type Stage = { databaseUrl: string; api: Api; crowd: Crowd; receiver: Receiver; signer?: 'node' | 'auto' };

/**
 * Publishes 20 events to each endpoint of the crowd, and waits until two workers delivered them.
 * @returns deliveries per second between the 10th and the 90th percentile of arrivals, and seconds from publishing to the last one
 */
export async function deliverToCrowd(
  context: Context,
  { databaseUrl, api, crowd, receiver, signer = 'node' }: Stage,
): Promise<{ perSecond: number; seconds: number }> {
  await receiver.arrivals();
  const worker = { databaseUrl, role: 'worker', environment: { CONCORD_SIGNER: signer } } as const;
  await startProcess(context, worker);
  await startProcess(context, worker);
  for (const id of crowd.partnerIds) await publish(api, id, eventsPerEndpoint);
  const published = now();
  await receiver.untilArrived(crowd.endpoints * eventsPerEndpoint);
  const arrivals = await receiver.arrivals();
  const [from, to] = [arrivals.length * 0.1, arrivals.length * 0.9].map(Math.floor) as [number, number];
  return {
    perSecond: ((to - from) * 1_000) / ((arrivals[to] ?? 0) - (arrivals[from] ?? 0)),
    seconds: ((arrivals.at(-1) ?? 0) - published) / 1_000,
  };
}

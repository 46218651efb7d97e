// What the cases about webhooks share: partners with endpoints, and the loads that several of them measure.
import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from './case.ts';
import { bodyRequest, type Loaded } from './load.ts';
import { connections } from './requests.ts';
import type { Api, Stage } from './stage.ts';
import { costOf, type Use } from './usage.ts';

export const event = { type: 'inventory.updated', data: { sku: 'NX-1', quantity: 12, location: 'Oslo' } };
/** The share of its load that a case sends first, so that no measurement includes the compiling of code. */
export const warmUp = 0.1;

export type Target = { partnerId: string; endpointIds: string[] };

export async function createPartner(
  api: Api,
  endpoints: number,
  url: string,
  settings: object = {},
): Promise<Target> {
  const { id: partnerId = '' } = await api.post('/partners', { name: 'Acme' });
  const endpointIds: string[] = [];
  for (let n = 0; n < endpoints; n++) {
    const { id = '' } = await api.post(`/partners/${partnerId}/webhook-endpoints`, {
      url: `${url}/${n}`,
      ...settings,
    });
    endpointIds.push(id);
  }
  return { partnerId, endpointIds };
}

export const filter = {
  all: [
    { path: '/quantity', range: { gt: 0 } },
    { path: '/location', one_of: ['Oslo', 'Bergen'] },
  ],
};

export async function createPartners({ api, receiver }: Stage, settings: object = {}): Promise<Target[]> {
  const targets: Target[] = [];
  for (let n = 0; n < 100; n++) targets.push(await createPartner(api, 1, receiver.url, settings));
  return targets;
}

/** Publishes so many events a request, one request after the other. */
export const publishBatch = (
  { api, load }: Stage,
  { partnerId }: Target,
  events: number,
  requests = 1,
): Promise<Loaded> =>
  load({ requests: [batchRequest(api, partnerId, events)], connections: 1, count: requests });

export const batchRequest = ({ token }: Api, partnerId: string, events: number): string =>
  bodyRequest('POST', `/partners/${partnerId}/events/batch`, token, Array(events).fill(event));

/**
 * Sends a load, and waits until the service has recorded the results of so many deliveries. Adds the seconds from its
 * first request to the last arrival.
 */
export async function deliver(
  stage: Stage,
  deliveries: number,
  send: () => Promise<Loaded>,
): Promise<Delivered> {
  const arrived = stage.receiver.arrived(deliveries);
  const loaded = await send();
  const { last } = await arrived;
  await untilRecorded(stage);
  return { ...loaded, seconds: (last - loaded.startedAt) / 1_000 };
}
type Delivered = Loaded & { seconds: number };

export function publish(stage: Stage, targets: Target[], events: number): Promise<Delivered> {
  const requests = targets.map(({ partnerId }) =>
    bodyRequest('POST', `/partners/${partnerId}/events`, stage.api.token, event),
  );
  return deliver(stage, events * (targets[0]?.endpointIds.length ?? 0), () =>
    stage.load({ requests, connections, count: events }),
  );
}

const rates = { event: 'events/s', delivery: 'deliveries/s' };

export const rateOf = (
  name: string,
  per: keyof typeof rates,
  count: number,
  { result, use }: { result: { seconds: number }; use: Use },
): Row => ({ name, value: count / result.seconds, unit: rates[per], cost: costOf(use, per, count) });

/** Waits until no delivery is pending, except to endpoints that hang. */
export async function untilRecorded({ sql }: Stage): Promise<void> {
  const { rows } = await sql.query("select id from webhook_endpoint where url not like '%/hang/%'");
  const pending = "select from delivery where status = 'pending' and endpoint_id = any($1) limit 1";
  while ((await sql.query(pending, [rows.map(({ id }) => id)])).rowCount !== 0) await delay(20);
}

export async function measureSpread(name: string, stage: Stage, settings: object = {}): Promise<Row[]> {
  const targets = await createPartners(stage, settings);
  const events = stage.quick ? 2_000 : 20_000;
  await publish(stage, targets, events * warmUp);
  const observed = await stage.observe(() => publish(stage, targets, events));
  return [
    rateOf(name, 'event', events, observed),
    { name: `${name} ack p50`, value: observed.result.p50, unit: 'ms' },
    { name: `${name} ack p99`, value: observed.result.p99, unit: 'ms' },
  ];
}

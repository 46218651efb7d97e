// What the cases about webhooks share: partners with endpoints, and the loads that several of them measure.
import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Measured } from './case.ts';
import { bodyRequest, type Loaded } from './load.ts';
import type { Stage } from './stage.ts';
import { costOf } from './usage.ts';

export const connections = 64;
export const event = { type: 'inventory.updated', data: { sku: 'NX-1', quantity: 12, location: 'Oslo' } };
/** The share of its load that a case sends first, so that no measurement includes the compiling of code. */
const warmUp = 0.1;

export type Target = { partnerId: string; endpointIds: string[] };

/** A new partner with endpoints under this URL. */
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

/** A filter that `event` matches. */
export const filter = {
  all: [
    { path: '/quantity', range: { gt: 0 } },
    { path: '/location', one_of: ['Oslo', 'Bergen'] },
  ],
};

/** A hundred partners with an endpoint each. */
export async function createPartners({ api, receiver }: Stage, settings: object = {}): Promise<Target[]> {
  const targets: Target[] = [];
  for (let n = 0; n < 100; n++) targets.push(await createPartner(api, 1, receiver.url, settings));
  return targets;
}

export const publishBatch = (api: Api, { partnerId }: Target, count: number) =>
  api.post(`/partners/${partnerId}/events/batch`, Array(count).fill(event));

/**
 * Publishes with one request for each event, and waits until the service has recorded the results of all
 * deliveries.
 */
async function publish(
  stage: Stage,
  targets: Target[],
  events: number,
): Promise<Loaded & { lastArrival: number }> {
  const requests = targets.map(({ partnerId }) =>
    bodyRequest('POST', `/partners/${partnerId}/events`, stage.api.token, event),
  );
  const arrived = stage.receiver.arrived(events * (targets[0]?.endpointIds.length ?? 0));
  const loaded = await stage.load({ requests, connections, count: events });
  const { last } = await arrived;
  await untilRecorded(stage);
  return { ...loaded, lastArrival: last };
}

/** Waits until no delivery is pending, except to endpoints that hang. */
export async function untilRecorded({ sql }: Stage): Promise<void> {
  const { rows } = await sql.query("select id from webhook_endpoint where url not like '%/hang/%'");
  const pending = "select from delivery where status = 'pending' and endpoint_id = any($1) limit 1";
  while ((await sql.query(pending, [rows.map(({ id }) => id)])).rowCount !== 0) await delay(20);
}

/**
 * 20,000 events to 100 partners with an endpoint each: events a second from the first request to the last
 * arrival.
 */
export async function measureSpread(
  name: string,
  stage: Stage,
  quick: boolean,
  settings: object = {},
): Promise<Measured> {
  const targets = await createPartners(stage, settings);
  const events = quick ? 2_000 : 20_000;
  await publish(stage, targets, events * warmUp);
  const { result, use } = await stage.observe(() => publish(stage, targets, events));
  const cost = costOf(use, 'event', events);
  return [
    { name, value: (events * 1_000) / (result.lastArrival - result.startedAt), unit: 'events/s', cost },
    { name: `${name} ack p50`, value: result.p50, unit: 'ms' },
    { name: `${name} ack p99`, value: result.p99, unit: 'ms' },
  ];
}

/**
 * 200 events to 100 endpoints of one partner: deliveries a second from the first request to the last arrival.
 */
export async function measureFanout(
  name: string,
  stage: Stage,
  quick: boolean,
  settings: object = {},
): Promise<Measured> {
  const target = await createPartner(stage.api, 100, stage.receiver.url, settings);
  const events = quick ? 20 : 200;
  const deliveries = events * target.endpointIds.length;
  await publish(stage, [target], events * warmUp);
  const { result, use } = await stage.observe(() => publish(stage, [target], events));
  const cost = costOf(use, 'delivery', deliveries);
  return [
    {
      name,
      value: (deliveries * 1_000) / (result.lastArrival - result.startedAt),
      unit: 'deliveries/s',
      cost,
    },
  ];
}

// A stage for webhook tests: a service with short retries, a receiver, a mailbox, and partners.
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { createCast, pluck, stock, succeed, times, uuidOf } from './cast.ts';
import { launch } from './launch.ts';
import { useMailbox } from './mailbox.ts';
import { type Received, startReceiver, toLoopback, useReceiver } from './receiver.ts';
import { secrets, startBeside, startTestService, type TestService, useService } from './start-service.ts';

/** Opens a stage before the tests of the file and closes it after them. */
export function useWebhookStage(environment: Record<string, string> = {}) {
  const mailbox = useMailbox();
  const service = useService(() => ({
    ...toLoopback,
    CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms,100ms',
    CONCORD_SMTP_URL: mailbox.url,
    ...environment,
  }));
  const receiver = useReceiver(service);
  return {
    service,
    mailbox,
    receiver,
    cast: createCast(service),
    newPartner: (url: string, terms: object = {}) => createWebhookPartner(service, url, terms),
  };
}

type Delivering = Parameters<typeof startReceiver>[1] & { route?: Parameters<typeof startTestService>[1] };

/**
 * A service that may deliver to this machine, and a receiver, until the test finishes. It must have refused
 * nothing.
 */
export async function openDelivering(
  environment: Record<string, string> = {},
  { route, ...options }: Delivering = {},
) {
  const service = await startTestService({ ...toLoopback, ...environment }, route);
  const receiver = await startReceiver(service.url, options);
  onTestFinished(async () => {
    receiver.close();
    await service.stop();
    expect(receiver.refused).toEqual([]);
  });
  return { service, receiver };
}

/** Starts a worker process on the database of a service and kills it when the test finishes. */
export async function startWorker({ database }: TestService, environment: Record<string, string> = {}) {
  const worker = launch({
    ...toLoopback,
    CONCORD_ROLE: 'worker',
    CONCORD_SECRETS: secrets,
    DATABASE_URL: database.url,
    CONCORD_BASE_URL: 'http://concord.test',
    ...environment,
  });
  return { ...worker, url: await worker.ready() };
}

/** A worker in this process, for a test that does not kill it. */
export const startWorkerHere = (service: TestService, environment: Record<string, string> = {}) =>
  startBeside(service, { ...toLoopback, CONCORD_ROLE: 'worker', ...environment });

export type WebhookPartner = Awaited<ReturnType<typeof createWebhookPartner>>;

/** Creates a partner with an endpoint at this URL. */
export async function createWebhookPartner(service: TestService, url: string, terms: object = {}) {
  const id: string = succeed(await service.post('/partners', { name: 'Acme' })).id;
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    service.request(method, `/partners/${id}/${path}`, { headers, body });
  /** These two must succeed. */
  const get = async (path: string) => succeed(await send('GET', path));
  const post = async (path: string, body?: unknown) => succeed(await send('POST', path, body));
  const endpoint: string = (await post('webhook-endpoints', { url, ...terms })).id;
  const deliveries = (query = '') => get(`deliveries${query}`);
  const act = (action: string, body?: unknown) =>
    send('POST', `webhook-endpoints/${endpoint}/${action}`, body);
  return {
    id,
    send,
    get,
    post,
    endpoint,
    statuses: async () => pluck(await deliveries(), 'status'),
    publish: async (quantity = 1): Promise<string> => (await post('events', stock(quantity))).id,
    publishMany: (count: number) =>
      post(
        'events/batch',
        times(count, (index) => stock(index)),
      ),
    /** Pauses the endpoint, and publishes one event with so many deliveries to it. */
    async makePending(count: number) {
      succeed(await act('pause'));
      await post('events', stock());
      await service.sql(
        `insert into delivery (id, endpoint_id, partner_id, environment, event_id, event_type, position, created_at, next_attempt_at)
         select overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, endpoint_id, partner_id, environment, event_id, event_type,
           position, created_at, next_attempt_at
         from delivery, generate_series(2, $2) n where partner_id = $1`,
        [uuidOf(id), count],
      );
    },
    deliveries,
    delivery: (delivery: string) => get(`deliveries/${delivery}`),
    /** Waits until so many deliveries have this status. */
    until: (status: string, count: number) =>
      expect
        .poll(async () => (await deliveries(`?filter[status]=${status}&page_size=1000`)).length)
        .toBe(count),
    act,
    pause: async () => succeed(await act('pause')),
    resume: async () => succeed(await act('resume')),
    change: (body: unknown) => send('PATCH', `webhook-endpoints/${endpoint}`, body),
    read: () => get(`webhook-endpoints/${endpoint}`),
  };
}

export const readCheck = (partner: WebhookPartner) =>
  partner.get(`webhook-endpoints/${partner.endpoint}/check`);
export async function endedCheck(partner: WebhookPartner) {
  await expect.poll(async () => (await readCheck(partner)).status).not.toBe('running');
  return readCheck(partner);
}

/** Waits until the only delivery has this status. */
export async function only(partner: WebhookPartner, status: string) {
  await expect.poll(async () => (await partner.deliveries())[0]?.status).toBe(status);
  return partner.delivery((await partner.deliveries())[0].id);
}
export const answer =
  (status: number, headers = {}, body = '') =>
  (_: unknown, response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);
export const quantities = (all: Received[]) =>
  all.map(({ event }) => (event.data as { quantity: number }).quantity);

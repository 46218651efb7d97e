// A stage for tests of sandbox receivers: a service whose base URL is a loopback address, and partners.
import { afterAll, beforeAll, expect } from 'vitest';
import { succeed } from '../../stage/cast.ts';
import { startRelay } from '../../stage/relay.ts';
import { startTestService, type TestService } from '../../stage/start-service.ts';

export const retries = { CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms' };

type SandboxStage = {
  /** Its URL is the base URL of the service. */
  relay: Awaited<ReturnType<typeof startRelay>>;
  service: TestService;
  newPartner: () => Promise<Partner>;
  /** Sends a request to a receiver. */
  post: (url: string, body: unknown, headers?: Record<string, string>) => ReturnType<TestService['request']>;
};

/** Opens a stage before the tests of the file and closes it after them. */
export function useSandboxStage() {
  const stage = {} as SandboxStage;
  beforeAll(async () => {
    const relay = await startRelay();
    const service = await startTestService({ CONCORD_BASE_URL: relay.url, ...retries });
    relay.to(service.url);
    Object.assign(stage, {
      relay,
      service,
      newPartner: () => createSandboxPartner(service),
      post: (url: string, body: unknown, headers = {}) =>
        service.request('POST', new URL(url).pathname, { token: null, body, headers }),
    });
  });
  afterAll(async () => {
    await stage.service.stop();
    stage.relay.close();
  });
  return stage;
}

export type Partner = Awaited<ReturnType<typeof createSandboxPartner>>;

export async function createSandboxPartner(at: TestService) {
  const partner: string = succeed(await at.request('POST', '/partners', { body: { name: 'Acme' } })).id;
  const send = (method: string, path: string, body?: unknown) =>
    at.request(method, `/partners/${partner}/${path}`, { body });
  /** These two must succeed. */
  const get = async (path: string) => succeed(await send('GET', path));
  const post = async (path: string, body?: unknown) => succeed(await send('POST', path, body));
  return {
    partner,
    send,
    get,
    post,
    receiver: async (): Promise<string> => succeed(await send('PUT', 'sandbox-receiver')).url,
    requests: () => get('sandbox-receiver/requests'),
    create: (url: string, terms: object = {}) =>
      send('POST', 'webhook-endpoints', { url, environment: 'sandbox', ...terms }),
    deliveries: () => get('deliveries'),
    publish: (environment = 'sandbox', quantity = 1) =>
      send('POST', 'events', { type: 'inventory.updated', environment, data: { sku: 'Åse', quantity } }),
  };
}

/** Creates an endpoint at the receiver. */
export async function connected(partner: Partner, terms: object = {}) {
  const url = await partner.receiver();
  return { url, endpoint: succeed(await partner.create(url, terms)).id as string };
}

export async function delivered(partner: Partner) {
  await expect.poll(async () => (await partner.deliveries())[0]?.status).toBe('delivered');
  return (await partner.deliveries())[0];
}

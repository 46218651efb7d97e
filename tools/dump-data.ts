// Makes data through the API: partners, people, permissions, webhooks.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Facts, memberPassword, operator } from '../server/test/upgrade/dump.ts';

type Json = ReturnType<typeof JSON.parse>;

export async function seed(url: string, outbox: string): Promise<Facts> {
  /** Resolves to the body of the answer, which must be a success. */
  const as =
    (token: string | null) =>
    async (method: string, path: string, body?: object): Promise<Json> => {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text}`);
      return text === '' ? null : JSON.parse(text);
    };
  const anonymous = as(null);
  const signIn = async (email: string, password: string) =>
    as((await anonymous('POST', '/api/auth/sign-in/email', { email, password })).token);
  const request = await signIn(operator.email, operator.password);

  const partner = (
    await request('POST', '/partners', {
      name: 'Nordlys AS',
      vat_no: 'NO 987 654 321',
      billing_address: { street: 'Storgata 1', postal_code: '0155', city: 'Oslo', country: 'NO' },
    })
  ).id;
  await request('PATCH', `/partners/${partner}`, { phone: '+47 22 00 00 00' });
  const gone = (await request('POST', '/partners', { name: 'Deleted AS' })).id;
  await request('DELETE', `/partners/${gone}`);

  const at = `/partners/${partner}`;
  const email = 'ann@concord.test';
  const all = Object.fromEntries(
    ['get', 'put', 'post', 'patch', 'delete', 'query'].map((method) => [method, true]),
  );
  const group = (
    await request('POST', `${at}/acl-permission-groups`, {
      name: 'Readers',
      acl_permissions: [{ resource: 'agreements', ...all }],
    })
  ).id;
  await signUp(email);
  const agreement = (await request('POST', `${at}/agreements`, { email })).id;
  await request('POST', `${at}/agreements`, { email: 'nobody@concord.test' });
  const member = await signIn(email, memberPassword);
  await member('PATCH', `${at}/agreements/${agreement}`, { accepted: true });
  await request('PATCH', `${at}/agreements/${agreement}`, {
    acl_permissions: [{ resource: 'partner', ...all, delete: false }],
    acl_permission_group_ids: [group],
  });
  const accessToken = (
    await member('POST', '/me/access-tokens', {
      name: 'a program',
      scopes: [{ resource: 'partner', ...all }],
      partner_ids: null,
    })
  ).token;
  const service = (await request('POST', `${at}/service-accounts`, { name: 'warehouse' })).id;
  const serviceToken = (
    await request('POST', `${at}/service-accounts/${service}/access-tokens`, {
      name: 'a key',
      scopes: [{ resource: 'partner', ...all }],
    })
  ).token;
  // A denied attempt has an audit row.
  await member('DELETE', at).catch(() => {});
  const kids = (await anonymous('GET', '/.well-known/jwks.json')).keys.map(({ kid }: { kid: string }) => kid);
  const { endpoint, events } = await makeWebhooks();
  return { partner, member: { email, agreement, accessToken }, serviceToken, endpoint, kids, events };

  async function signUp(email: string): Promise<void> {
    await anonymous('POST', '/api/auth/sign-up/email', { name: 'Ann', email, password: memberPassword });
    const token = await until(() => {
      const mails = readdirSync(outbox).filter((file) => file.endsWith('.eml'));
      const texts = mails.map((file) => readFileSync(join(outbox, file), 'utf8'));
      return /concord\.test\/\S*verify\S*?#token=([\w.-]+)/.exec(texts.join())?.[1];
    });
    await anonymous('POST', '/api/auth/verify-email', { token, password: memberPassword });
  }

  async function makeWebhooks(): Promise<Pick<Facts, 'endpoint' | 'events'>> {
    let received = 0;
    let failing = false;
    const receiver = createServer((incoming, outgoing) => {
      incoming.resume().on('end', () => outgoing.writeHead(failing ? 503 : 204).end(() => received++));
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    try {
      const endpoint = (
        await request('POST', `${at}/webhook-endpoints`, {
          url: `http://127.0.0.1:${port}/hooks`,
          headers: { 'x-shop': 'nordlys' },
        })
      ).id;
      const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
      const type = { description: 'An order', schema, example: { total: 1 } };
      await request('PUT', '/event-types/order.placed', type);
      const publish = async (quantity: number): Promise<string> =>
        (
          await request('POST', `${at}/events`, {
            type: 'inventory.updated',
            data: { sku: 'a', quantity },
            producer_id: `p${quantity}`,
          })
        ).id;
      const delivered = [await publish(1), await publish(2)];
      await until(() => received === 2 || undefined);
      await until(async () => (await statuses()).every((status) => status === 'delivered') || undefined);
      failing = true;
      const pending = await publish(3);
      await until(() => received === 3 || undefined);
      return { endpoint, events: { delivered, pending } };
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
  }

  async function statuses(): Promise<string[]> {
    return (await request('GET', `${at}/deliveries`)).map(({ status }: { status: string }) => status);
  }
}

/** Tries for 30 seconds. */
async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await Promise.resolve()
      .then(find)
      .catch(() => undefined);
    if (found !== undefined) return found;
    await pause(100);
  }
  throw new Error('It did not happen within 30 seconds.');
}

// Captures deliveries of a running service as bytes, and rebuilds each request from these bytes alone.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createPartner, createWebhookEndpoint, publishEvent } from '@concord/client';
import type { Case, Header } from '../vectors/request.ts';
import { withConcord } from './concord.ts';

type OddUrls = { accepted: { about: string; url: string }[] };
type Captured = { cases: Required<Case>[]; jwks: unknown };

const data = { sku: 'blåbær 🫐', quantity: 12, location: null };
const patienceMs = 60_000;

/**
 * Listens for plain TCP, and keeps every byte of each request. It is the egress proxy too, so it can record
 * any host and port.
 */
async function startRecorder() {
  const requests: Buffer[] = [];
  const sockets = new Set<Socket>();
  const arrived = new EventTarget();
  const server = createServer((socket) => {
    let bytes: Buffer = Buffer.alloc(0);
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let end = findEnd(bytes); end !== undefined && bytes.length >= end; end = findEnd(bytes)) {
        const request = bytes.subarray(0, end);
        bytes = bytes.subarray(end);
        const isTunnel = request.toString('latin1', 0, 8) === 'CONNECT ';
        socket.write(isTunnel ? 'HTTP/1.1 200 OK\r\n\r\n' : 'HTTP/1.1 204 No Content\r\n\r\n');
        if (isTunnel) continue;
        requests.push(request);
        arrived.dispatchEvent(new Event('request'));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async take(count: number): Promise<Buffer[]> {
      const signal = AbortSignal.timeout(patienceMs);
      while (requests.length < count) await once(arrived, 'request', { signal });
      return requests;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Where the first request ends, once its head is complete. */
function findEnd(bytes: Buffer): number | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, head))?.[1];
  return head + 4 + Number(length ?? 0);
}

/**
 * The request as a receiver sees it. The URL is the scheme, the Host header and the request target, as they
 * were sent.
 */
function rebuild(bytes: Buffer): Case['request'] {
  const head = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.toString('latin1', 0, head).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = lines.map(
    (line): Header => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)],
  );
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1].trim();
  const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(head + 4));
  return { method, url: `http://${host}${target}`, headers, body };
}

/** Puts `localhost` in place of names that nothing resolves, spelled as oddly, and http in place of https. */
function toLocal(text: string): string {
  const initials: Record<string, string> = { h: 'l', H: 'L', ｈ: 'ｌ', '%68': '%6C' };
  return text
    .replace(/^https/, 'http')
    .replace(
      /(h|ｈ|%68)ooks\.example\.?/i,
      (_, initial: string) => `${initials[initial]}${initial === 'H' ? 'OCALHOST' : 'ocalhost'}`,
    )
    .replace(/(?:bücher|xn--bcher-kva)\.example/i, 'localhost');
}

/** Publishes one event to an endpoint for each odd URL, and returns the deliveries as vectors to accept. */
export async function captureDeliveries(): Promise<Captured> {
  const file = new URL('../vectors/odd-urls.json', import.meta.url);
  const { accepted }: OddUrls = JSON.parse(readFileSync(file, 'utf8'));
  const recorder = await startRecorder();
  const environment = {
    CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128,::ffff:127.0.0.0/104',
    CONCORD_WEBHOOK_PROXY_URL: `http://127.0.0.1:${recorder.port}`,
  };
  return withConcord(async ({ url: concord, client }) => {
    const { id: partner_id } = await createPartner({ client, body: { name: 'Nordlys AS' } });
    const path = { id: partner_id };
    const urls = new Set<string>();
    for (const { url } of accepted)
      urls.add((await createWebhookEndpoint({ client, path, body: { url: toLocal(url) } })).url);
    await publishEvent({ client, path, body: { type: 'inventory.updated', data } });
    const requests = (await recorder.take(accepted.length)).map(rebuild);
    for (const { url } of requests) urls.delete(url);
    if (urls.size > 0)
      throw new Error(`Other URLs than the registered ones are on the wire: ${[...urls].join(' ')}`);
    const jwks: unknown = await (await fetch(`${concord}/.well-known/jwks.json`)).json();
    const now = Math.floor(Date.now() / 1_000);
    const rest = { accept: true, code: '', step: '', now, batch: false, partner_id };
    const cases = requests.map((request, index) => ({
      ...rest,
      jwks: 'captured' as const,
      name: `captured ${index + 1}: ${request.url}`,
      request,
    }));
    return { jwks, cases };
  }, environment).finally(recorder.close);
}

// Test helpers: signing keys, signed webhooks, a JWKS server with a replaceable answer, and a clock.
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContentDigest, createSigner, signMessage } from '@concord/http-message-signatures';
import type { Keys } from '../src/index.ts';
import { parseJwks } from '../src/jwks.ts';

export const endpoint = 'https://hooks.example.com/concord';
export const partnerId = 'ptr_01h2xcejqtf2nbrexx3vqjhp41';
/** The time at which the tests begin, in Unix seconds. */
export const start = 1_767_225_600;

export type TestKey = { kid: string; privateKey: CryptoKey; jwk: Record<string, unknown> };

export async function makeKey(kid: string): Promise<TestKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name: 'ECDSA', namedCurve: 'P-384' },
    true,
    ['sign', 'verify'],
  );
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  return { kid, privateKey, jwk: { kty, crv, x, y, kid, key_ops: ['verify'] } };
}

export type Sent = { method: string; url: string; headers: [string, string][]; body: Uint8Array };

/** A signed webhook. */
export async function makeWebhook(
  key: TestKey,
  {
    id = 'evt_1',
    created = start,
    url = endpoint,
    data = {} as unknown,
    partner = partnerId,
    label = 'sig1',
    /** The ids of a batch. */
    events = undefined as readonly string[] | undefined,
  } = {},
): Promise<Sent> {
  const eventOf = (id: string) => ({ id, type: 'inventory.updated', partner_id: partner, data });
  const body = new TextEncoder().encode(
    JSON.stringify(events === undefined ? eventOf(id) : events.map(eventOf)),
  );
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['Content-Digest', await createContentDigest(body)],
    ['Webhook-Id', id],
  ];
  const algorithm = 'ecdsa-p384-sha384';
  const { signatureInput, signature } = await signMessage(
    { method: 'POST', url, headers },
    {
      components: ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'],
      parameters: { created, alg: algorithm, keyid: key.kid },
      signer: createSigner(algorithm, key.privateKey),
      label,
    },
  );
  headers.push(['Signature-Input', signatureInput], ['Signature', signature]);
  return { method: 'POST', url, headers, body };
}

/** The webhook as options of fetch, with its own body by default. */
export const toInit = ({ method, headers, body }: Sent, otherBody?: string): RequestInit => ({
  method,
  headers,
  body: otherBody ?? new Uint8Array(body),
});

type Answer = (response: ServerResponse) => void;

export const jwksOf = (...keys: { jwk: Record<string, unknown> }[]): string =>
  JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });

/** The keys of a JWKS document, without a cache. */
export async function readKeys(jwks: string): Promise<Keys> {
  const { verifiers } = await parseJwks(jwks);
  return { findKey: async (kid) => verifiers.get(kid) };
}

export const answerWith =
  (
    body: string | Buffer,
    headers: Record<string, string> = { 'cache-control': 'public, max-age=3600, stale-if-error=86400' },
    status = 200,
  ): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Listens on a free port of the loopback interface. */
export async function startServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a JWKS server that counts requests. Set `answer` to change what it answers. */
export async function startJwks(answer: Answer) {
  const state = { answer, requests: 0 };
  const server = await startServer((_, response) => {
    state.requests += 1;
    state.answer(response);
  });
  return Object.assign(state, server, { url: `${server.origin}/.well-known/jwks.json` });
}

export function makeClock(seconds = start) {
  let ms = seconds * 1_000;
  return {
    now: () => ms,
    advance(byMs: number) {
      ms += byMs;
    },
  };
}

// Makes the requests of the vectors. It writes signature bases by hand and signs with a library of its own, so that it shares
// no code with what the vectors test.
import { createHash } from 'node:crypto';
import { p256, p384 } from '@noble/curves/nist.js';
import keys from './TEST-KEYS.json' with { type: 'json' };

export type KeyName = 'active' | 'successor' | 'removed' | 'sandbox' | 'p256';
export type Header = [name: string, value: string];

/** The second at which the vectors take place. */
export const created = 1_767_225_600;
export const url = 'https://hooks.example.com/concord';
export const algorithm = 'ecdsa-p384-sha384';
const order = p384.Point.Fn.ORDER;

/** RFC 7638, section 3.2: the members of an EC key, sorted. */
export const kid = (name: KeyName): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: keys[name].crv, kty: keys[name].kty, x: keys[name].x, y: keys[name].y }))
    .digest('base64url');

export const publicJwk = (name: KeyName) => {
  const { kty, crv, x, y } = keys[name];
  return { kty, crv, x, y, kid: kid(name), key_ops: ['verify'] };
};

const event = (id: string, environment = 'live') => ({
  id,
  type: 'inventory.updated',
  created_at: '2026-01-01T00:00:00.000Z',
  partner_id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
  environment,
  data: { sku: 'NX-1', quantity: 12, location: null },
});

export const digest = (body: string, name: 'sha-256' | 'sha-512' = 'sha-256'): string =>
  `${name}=:${createHash(name.replace('-', '')).update(body).digest('base64')}:`;

/** What a vector changes about the request before it is signed. */
export type Plan = {
  id?: string;
  method?: string;
  url?: string;
  environment?: string;
  body?: string;
  contentType?: string;
  contentDigest?: string;
  label?: string;
  /** As they stand in Signature-Input: with their quotes and parameters. */
  components?: string[];
  /** As they stand in Signature-Input: `created=...`. */
  parameters?: string[];
  key?: KeyName;
  keyid?: string;
  createdAt?: number;
  headers?: Header[];
  /** Changes the signature base before it is signed: what senders get wrong. */
  editBase?: (base: string) => string;
  /** Writes the 96 bytes in another way. */
  encode?: (signature: Uint8Array) => Uint8Array;
};

export const covered = ['"@method"', '"@target-uri"', '"content-type"', '"content-digest"', '"webhook-id"'];

export type SignedRequest = { method: string; url: string; headers: Header[]; body: string };

/** See README.md. */
export type Case = {
  name: string;
  accept: boolean;
  code?: string;
  step?: string;
  jwks?: 'live' | 'sandbox';
  now?: number;
  request: SignedRequest;
};

export function makeRequest(plan: Plan = {}): SignedRequest {
  const { id = 'evt_01kdv0000000000000000000', method = 'POST', key = 'active', label = 'sig1', components = covered } = plan;
  const body = plan.body ?? JSON.stringify(event(id, plan.environment));
  const target = plan.url ?? url;
  const headers: Header[] = [
    ['Content-Type', plan.contentType ?? 'application/json'],
    ['Content-Digest', plan.contentDigest ?? digest(body)],
    ['Webhook-Id', id],
    ['Webhook-Attempt', '1'],
    ['User-Agent', 'Concord (https://concord.example.com)'],
    ...(plan.headers ?? []),
  ];
  const parameters = plan.parameters ?? [
    `created=${plan.createdAt ?? created}`,
    `keyid="${plan.keyid ?? kid(key)}"`,
    `alg="${algorithm}"`,
  ];
  const input = `(${components.join(' ')})${parameters.map((parameter) => `;${parameter}`).join('')}`;
  const lines = components.map((component) => `${component}: ${readComponent(component, method, target, headers)}`);
  const base = [...lines, `"@signature-params": ${input}`].join('\n');
  const signature = sign(plan.editBase?.(base) ?? base, key);
  const bytes = Buffer.from(plan.encode?.(signature) ?? signature).toString('base64');
  headers.push(['Signature-Input', `${label}=${input}`], ['Signature', `${label}=:${bytes}:`]);
  return { method, url: target, headers, body };
}

function readComponent(component: string, method: string, target: string, headers: Header[]): string {
  const name = component.slice(1, component.lastIndexOf('"'));
  if (name === '@method') return method;
  if (name === '@target-uri') return target;
  return headers
    .filter(([header]) => header.toLowerCase() === name)
    .map(([, value]) => value.trim())
    .join(', ');
}

/** ECDSA with the k of RFC 6979, so that the same message always has the same signature. */
function sign(base: string, key: KeyName): Uint8Array {
  const secret = Buffer.from(keys[key].d, 'base64url');
  return (key === 'p256' ? p256 : p384).sign(Buffer.from(base, 'latin1'), secret, { lowS: false });
}

export const toDer = (signature: Uint8Array): Uint8Array => p384.Signature.fromBytes(signature).toBytes('der');

/** r, and n less s: as good as r and s. */
export function negateS(signature: Uint8Array): Uint8Array {
  const s = order - BigInt(`0x${Buffer.from(signature.subarray(48)).toString('hex')}`);
  return Buffer.concat([signature.subarray(0, 48), Buffer.from(s.toString(16).padStart(96, '0'), 'hex')]);
}

export const orderBytes = (): Uint8Array => Buffer.from(order.toString(16).padStart(96, '0'), 'hex');

// Makes the requests of the vectors. Shares no code with the packages under test: it writes signature bases
// itself and signs with another library.
import { createHash } from 'node:crypto';
import { p256, p384 } from '@noble/curves/nist.js';
import keys from './TEST-KEYS.json' with { type: 'json' };

export type KeyName = 'active' | 'successor' | 'removed' | 'sandbox' | 'p256';
export type Header = [name: string, value: string];

/** When the requests are signed, in Unix seconds. */
export const created = 1_767_225_600;
export const url = 'https://hooks.example.com/concord';
export const algorithm = 'ecdsa-p384-sha384';
const order = p384.Point.Fn.ORDER;

/** The thumbprint of an EC key (RFC 7638, section 3.2). */
export const kid = (name: KeyName): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: keys[name].crv, kty: keys[name].kty, x: keys[name].x, y: keys[name].y }))
    .digest('base64url');

export const publicJwk = (name: KeyName) => {
  const { kty, crv, x, y } = keys[name];
  return { kty, crv, x, y, kid: kid(name), key_ops: ['verify'] };
};

/** The partner of the receiver. */
export const partnerId = 'ptr_01h2xcejqtf2nbrexx3vqjhp41';
export const otherPartnerId = 'ptr_01kdv0000000000000000000';

export const event = (id: string, { environment = 'live', partner = partnerId }: Plan) => ({
  id,
  type: 'inventory.updated',
  created_at: '2026-01-01T00:00:00.000Z',
  partner_id: partner,
  environment,
  data: { sku: 'NX-1', quantity: 12, location: null },
});

export const digest = (body: string, name: 'sha-256' | 'sha-512' = 'sha-256'): string =>
  `${name}=:${createHash(name.replace('-', '')).update(body).digest('base64')}:`;

/** How a request differs from the default one before it is signed. */
export type Plan = {
  id?: string;
  method?: string;
  url?: string;
  environment?: string;
  partner?: string;
  body?: string;
  contentType?: string;
  contentDigest?: string;
  label?: string;
  /** As written in Signature-Input, for example `"@method"` or `"x";bs`. */
  components?: string[];
  /** As written in Signature-Input, for example `created=1`. */
  parameters?: string[];
  key?: KeyName;
  keyid?: string;
  createdAt?: number;
  /** Changes the signature base before it is signed. */
  editBase?: (base: string) => string;
  /** Changes the 96 bytes of the signature. */
  encode?: (signature: Uint8Array) => Uint8Array;
};

export const covered = ['"@method"', '"@target-uri"', '"content-type"', '"content-digest"', '"webhook-id"'];

export type SignedRequest = { method: string; url: string; headers: Header[]; body: string };

/** One vector; README.md describes the members. */
export type Case = {
  name: string;
  accept: boolean;
  code?: string;
  step?: string;
  /** `captured`: only for deliveries that interop/ captures. */
  jwks?: 'live' | 'sandbox' | 'captured';
  now?: number;
  partner_id?: string;
  /** Only for the receiver of an endpoint with `batch`. */
  batch?: boolean;
  request: SignedRequest;
};

export function makeRequest(plan: Plan = {}): SignedRequest {
  const {
    id = 'evt_01kdv0000000000000000000',
    method = 'POST',
    key = 'active',
    label = 'sig1',
    components = covered,
  } = plan;
  const body = plan.body ?? JSON.stringify(event(id, plan));
  const target = plan.url ?? url;
  const headers: Header[] = [
    ['Content-Type', plan.contentType ?? 'application/json'],
    ['Content-Digest', plan.contentDigest ?? digest(body)],
    ['Webhook-Id', id],
    ['Webhook-Attempt', '1'],
    ['User-Agent', 'Concord (https://concord.example.com)'],
  ];
  const parameters = plan.parameters ?? [
    `created=${plan.createdAt ?? created}`,
    `alg="${algorithm}"`,
    `keyid="${plan.keyid ?? kid(key)}"`,
  ];
  const input = `(${components.join(' ')})${parameters.map((parameter) => `;${parameter}`).join('')}`;
  const lines = components.map(
    (component) => `${component}: ${readComponent(component, method, target, headers)}`,
  );
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

/** Deterministic ECDSA (RFC 6979), so that the file is the same on every run. */
export function sign(base: string, key: KeyName): Uint8Array {
  const secret = Buffer.from(keys[key].d, 'base64url');
  return (key === 'p256' ? p256 : p384).sign(Buffer.from(base, 'latin1'), secret, { lowS: false });
}

export const toDer = (signature: Uint8Array): Uint8Array =>
  p384.Signature.fromBytes(signature).toBytes('der');

/** Replaces s with n - s, which is valid too. */
export function negateS(signature: Uint8Array): Uint8Array {
  const s = order - BigInt(`0x${Buffer.from(signature.subarray(48)).toString('hex')}`);
  return Buffer.concat([signature.subarray(0, 48), Buffer.from(s.toString(16).padStart(96, '0'), 'hex')]);
}

export const orderBytes = (): Uint8Array => Buffer.from(order.toString(16).padStart(96, '0'), 'hex');

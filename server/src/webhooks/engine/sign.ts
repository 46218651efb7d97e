// The request of an attempt: digest, id, and a signature over them (behaviour W1). Each attempt gets a new signature.
import { createHash } from 'node:crypto';
import { component, createSignatureBase, serializeSignature, serializeSignatureInputs } from '@concord/http-message-signatures';
import type { Signer } from '../../signing-keys/index.ts';

const algorithm = 'ecdsa-p384-sha384';
const label = 'sig1';
/** The covered components, in this order. The last two bind the body and the event. */
const components = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'].map((name) => component(name));

type Content = { url: URL; body: Buffer; eventId: string; attempt: number; userAgent: string };
/** `created` in Unix seconds. */
export type Signature = { readonly created: number; readonly keyId: string; readonly signature: Buffer };
/** Headers in the order in which they are sent. */
type Headers = Record<string, string>;

export async function signAttempt({
  key,
  nowMs,
  ...content
}: Content & { key: Signer; nowMs: number }): Promise<Signature & { headers: Headers }> {
  const terms = { created: Math.floor(nowMs / 1_000), keyId: key.kid };
  const { headers, base } = compose(content, terms);
  const signature = await key.sign(Buffer.from(base));
  return { ...terms, signature, headers: { ...headers, signature: toField(signature) } };
}

/** The headers and the signature base of an attempt that was signed earlier. */
export function rebuildAttempt(content: Content, { signature, ...terms }: Signature): { headers: Headers; base: string } {
  const { headers, base } = compose(content, terms);
  return { headers: { ...headers, signature: toField(signature) }, base };
}

function compose({ url, body, eventId, attempt, userAgent }: Content, { created, keyId }: Omit<Signature, 'signature'>) {
  const headers = {
    'content-type': 'application/json',
    'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
    'webhook-id': eventId,
    'webhook-attempt': String(attempt),
    'user-agent': userAgent,
  };
  // httpsig-hyper (Rust) writes the parameters again in this order, and refuses any other.
  const input = {
    components,
    parameters: new Map<string, number | string>([
      ['created', created],
      ['alg', algorithm],
      ['keyid', keyId],
    ]),
  };
  return {
    headers: { ...headers, 'signature-input': serializeSignatureInputs(new Map([[label, input]])) },
    base: createSignatureBase({ method: 'POST', url: url.href, headers }, input),
  };
}

const toField = (signature: Buffer) => serializeSignature(new Map([[label, signature]]));

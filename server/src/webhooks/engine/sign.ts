// The headers of an attempt: digest, id, and a signature over them (behaviour W1). Each attempt gets a new signature.
import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { signMessage } from '@concord/http-message-signatures';
import type { Signer } from '../../signing-keys/index.ts';

const signInPool: (algorithm: string, data: Uint8Array, key: { key: KeyObject; dsaEncoding: 'ieee-p1363' }) => Promise<Buffer> =
  promisify(sign);
const algorithm = 'ecdsa-p384-sha384';
/** The covered components, in this order. The last two bind the body and the event. */
const components = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'];

type Signed = { url: URL; body: Buffer; eventId: string; attempt: number; userAgent: string; key: Signer; nowMs: number };

/** An ECDSA signature takes 0.7 ms of a core, so it runs in the thread pool and not on the event loop. */
export async function signAttempt({
  url,
  body,
  eventId,
  attempt,
  userAgent,
  key,
  nowMs,
}: Signed): Promise<Record<string, string>> {
  const headers = {
    'content-type': 'application/json',
    'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
    'webhook-id': eventId,
    'webhook-attempt': String(attempt),
    'user-agent': userAgent,
  };
  const { signatureInput, signature } = await signMessage(
    { method: 'POST', url: url.href, headers },
    {
      components,
      // httpsig-hyper (Rust) writes the parameters again in this order, and refuses any other.
      parameters: { created: Math.floor(nowMs / 1_000), alg: algorithm, keyid: key.kid },
      signer: { algorithm, sign: (data) => signInPool('sha384', data, { key: key.privateKey, dsaEncoding: 'ieee-p1363' }) },
    },
  );
  return { ...headers, 'signature-input': signatureInput, signature };
}

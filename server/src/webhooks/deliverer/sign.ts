// The headers of an attempt: digest, id, and a signature over them (webhooks W1). Every attempt is signed afresh.
import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { signMessage } from '@concord/http-message-signatures';

const signInPool: (algorithm: string, data: Uint8Array, key: { key: KeyObject; dsaEncoding: 'ieee-p1363' }) => Promise<Buffer> =
  promisify(sign);
const algorithm = 'ecdsa-p384-sha384';
/** In this order (docs/interface.md 5.3; the last two so that neither body nor id can be another's). */
const components = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'];

type SigningKey = { kid: string; privateKey: KeyObject };
type Signed = { url: URL; body: Buffer; eventId: string; attempt: number; userAgent: string; key: SigningKey; nowMs: number };

/** ECDSA takes a core for 0.7 ms: it runs in the thread pool, so that the event loop goes on. */
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
      parameters: { created: Math.floor(nowMs / 1_000), keyid: key.kid, alg: algorithm },
      signer: { algorithm, sign: (data) => signInPool('sha384', data, { key: key.privateKey, dsaEncoding: 'ieee-p1363' }) },
    },
  );
  return { ...headers, 'signature-input': signatureInput, signature };
}

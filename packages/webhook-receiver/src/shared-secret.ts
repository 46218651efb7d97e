// Verifies the signature of Standard Webhooks v1: HMAC-SHA256 with a secret that sender and receiver share.
import { fromBase64 } from './base64.ts';
import { WebhookError } from './errors.ts';
import { linesOf, type ReadRequest } from './request.ts';

/** Base64 of 24 to 65 bytes, with or without `whsec_`. Whatever `atob` refuses does not fit. */
const secretForm = /^(?:whsec_)?((?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/;
/** A sender that changes its secret signs with two. */
const maxSignatures = 32;

/** @throws {TypeError} when there is no secret, or one of another form */
export function readSecrets(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const secrets = [secret].flat();
  if (secrets.length === 0)
    throw new TypeError('secret must have at least one signing secret: whsec_ and base64');
  return secrets.map((text) => {
    const [, base64] = (typeof text === 'string' && secretForm.exec(text)) || [];
    if (base64 === undefined)
      throw new TypeError('secret must be the signing secret of the endpoint: whsec_ and base64');
    return fromBase64(base64);
  });
}

/**
 * Verifies the request with any of the secrets. Returns its id, and when it was signed in Unix seconds.
 *
 * @throws {WebhookError} signature_missing, signature_malformed, created_in_future, created_too_old or
 * signature_invalid
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function verifySharedSecret(
  { headers, body }: ReadRequest,
  secrets: readonly Uint8Array<ArrayBuffer>[],
  { toleranceSeconds, now }: { toleranceSeconds: number; now: () => number },
): Promise<{ id: string; created: number }> {
  const id = only(headers, 'webhook-id');
  const timestamp = only(headers, 'webhook-timestamp');
  const listed = only(headers, 'webhook-signature');
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookError('signature_malformed', 'parse', 'webhook-timestamp must be Unix seconds');
  const created = Number(timestamp);
  // The negation makes NaN refuse the request.
  if (!(Math.abs(now() / 1_000 - created) <= toleranceSeconds))
    throw new WebhookError(
      created * 1_000 > now() ? 'created_in_future' : 'created_too_old',
      'requirements',
      `webhook-timestamp must be within ${toleranceSeconds} seconds of the clock`,
    );
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  const signatures = listed
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, maxSignatures);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const part of signatures) {
      const signature = /^v1,[A-Za-z0-9+/]{43}=$/.test(part) ? fromBase64(part.slice(3)) : undefined;
      // It compares in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) return { id, created };
    }
  }
  throw new WebhookError(
    'signature_invalid',
    'verify',
    'No v1 signature fits the secret, the id, the timestamp and the body',
  );
}

/** The value of a header that must be there once. */
function only(headers: ReadRequest['headers'], wanted: string): string {
  const [value, another] = linesOf(headers).flatMap(([name, lines]) => (name === wanted ? lines : []));
  if (value === undefined || another !== undefined)
    throw new WebhookError('signature_missing', 'parse', `The request must have ${wanted} once`);
  return value;
}

import { createHash, createPublicKey } from 'node:crypto';
import { createVerifier, httpbis } from 'http-message-signatures';

const algorithm = 'ecdsa-p384-sha384';
const covered = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'];
// The library takes the last of two parameters with one name, so the text must have the form that Concord writes.
const inputForm =
  /^([a-z*][a-z0-9_.*-]*)=\("[@a-z-]+"(?: "[@a-z-]+")*\);created=\d{1,15};alg="ecdsa-p384-sha384";keyid="[\w-]+"$/;
const signatureForm = /^([a-z*][a-z0-9_.*-]*)=:[A-Za-z0-9+/]{128}:$/;

export type Incoming = {
  method: string;
  url: string;
  headers: Record<string, string[] | undefined>;
  body: Uint8Array;
};
export type Jwks = { keys: { kid: string; kty: string; crv?: string; x?: string; y?: string }[] };

/**
 * Returns the event id. `url`: the endpoint's `url`, as Concord shows it; `headers`: `request.headersDistinct` of Node; `body`: the raw bytes;
 * `partnerId`: your partner, whose events are the only ones to accept.
 */
export async function verify(
  { method, url, headers, body }: Incoming,
  jwks: Jwks,
  partnerId: string,
): Promise<string> {
  const read = (name: string) => {
    const value = (headers[name] ?? []).map((line) => line.trim()).join(', ');
    if (!/^[\t\x20-\x7e]+$/.test(value)) throw new Error(`${name} is missing, or is not ASCII text`);
    return value;
  };
  const label = inputForm.exec(read('signature-input'))?.[1];
  if (label === undefined) throw new Error('Signature-Input has another form than Concord writes');
  if (signatureForm.exec(read('signature'))?.[1] !== label)
    throw new Error('Signature must have one signature of 96 bytes');
  if (method !== 'POST') throw new Error('The method must be POST');

  const names = [...covered.filter((name) => !name.startsWith('@')), 'signature-input', 'signature'];
  const isValid = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) => {
        const jwk = jwks.keys.find(({ kid, crv }) => kid === keyid && crv === 'P-384');
        if (!jwk) throw new Error('Unknown key');
        return {
          algs: [algorithm],
          verify: createVerifier(createPublicKey({ key: jwk, format: 'jwk' }), algorithm),
        };
      },
      requiredParams: ['created', 'alg', 'keyid'],
      requiredFields: covered,
      // The library subtracts `tolerance` from `created` first, so this accepts the last 300 seconds.
      maxAge: 600,
      tolerance: 300,
    },
    { method, url, headers: Object.fromEntries(names.map((name) => [name, read(name)])) },
  );
  if (isValid !== true) throw new Error('The signature is invalid');

  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  if (read('content-digest') !== digest) throw new Error('Content-Digest does not match the body');
  const event = JSON.parse(new TextDecoder().decode(body));
  if (event.partner_id !== partnerId) throw new Error('The event belongs to another partner');
  return event.id;
}

import { verifySignature } from 'http-message-sig';

const algorithm = 'ecdsa-p384-sha384';
const covered = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'];

export type Incoming = {
  method: string;
  url: string;
  headers: Record<string, string[] | undefined>;
  body: Uint8Array<ArrayBuffer>;
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
  const fields = Object.entries(headers).flatMap(([name, lines = []]) =>
    lines.map((value) => ({ name, value })),
  );
  const now = Math.floor(Date.now() / 1000);
  await verifySignature(
    { kind: 'request', method, targetUri: url, fields },
    {
      policy: {
        algorithms: [algorithm],
        requiredComponents: covered,
        requiredParameters: ['created', 'alg', 'keyid'],
        // The age may be `maxAge` and `clockSkew` together.
        maxAge: 0,
        clockSkew: 300,
        now,
        validate: ({ parameters }) => parameters.expires === undefined || parameters.expires >= now,
      },
      resolveVerifier: async ({ parameters: { keyid } }) => {
        const jwk = jwks.keys.find(({ kid, crv }) => kid === keyid && crv === 'P-384');
        if (!jwk) throw new Error('Unknown key');
        const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-384' }, false, [
          'verify',
        ]);
        return {
          algorithm,
          verify: (data, signature) =>
            crypto.subtle.verify(
              { name: 'ECDSA', hash: 'SHA-384' },
              key,
              signature as BufferSource,
              data as BufferSource,
            ),
        };
      },
    },
  );
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const written = (headers['content-digest'] ?? []).map((line) => line.trim()).join(', ');
  if (written !== `sha-256=:${btoa(String.fromCharCode(...digest))}:`)
    throw new Error('Content-Digest does not match the body');
  const event = JSON.parse(new TextDecoder().decode(body));
  if (event.partner_id !== partnerId) throw new Error('The event belongs to another partner');
  return event.id;
}

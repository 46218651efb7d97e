// Generates vectors/webhooks.json.
import { acceptedCases } from './accepted.ts';
import { acceptedBatches, refusedBatches } from './batches.ts';
import { refusedRequests } from './refused-requests.ts';
import { refusedSignatures } from './refused-signatures.ts';
import { covered, created, partnerId, publicJwk } from './request.ts';
import keys from './TEST-KEYS.json' with { type: 'json' };

/** The content of the file. The same on every run. */
export function generateVectors(): string {
  const all = [
    ...acceptedCases(),
    ...acceptedBatches(),
    ...refusedRequests(),
    ...refusedBatches(),
    ...refusedSignatures(),
  ];
  const cases = all.map(
    ({
      name,
      accept,
      code,
      step,
      jwks = 'live',
      now = created + 1,
      partner_id = partnerId,
      batch,
      request,
    }) => ({
      name,
      accept,
      code,
      step,
      jwks,
      now,
      partner_id,
      batch,
      request,
    }),
  );
  if (new Set(cases.map(({ name }) => name)).size !== cases.length)
    throw new Error('Every vector must have a unique name');
  const document = {
    about: 'Requests that a webhook receiver must accept or refuse. Generated: see README.md in this folder.',
    profile: {
      components: covered.map((name) => name.slice(1, -1)),
      alg: 'ecdsa-p384-sha384',
      tolerance_seconds: 300,
    },
    jwks: {
      // Keys for other purposes come first, so a receiver that takes a key by position fails.
      live: {
        keys: [{ ...keys.rsa, kid: 'rsa' }, publicJwk('p256'), publicJwk('successor'), publicJwk('active')],
      },
      sandbox: { keys: [publicJwk('sandbox')] },
    },
    cases,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

// The vectors of the webhook profile, made anew and always the same: vectors/webhooks.json.
import { acceptedCases } from './accepted.ts';
import { refusedRequests } from './refused-requests.ts';
import { refusedSignatures } from './refused-signatures.ts';
import { created, publicJwk } from './request.ts';
import keys from './TEST-KEYS.json' with { type: 'json' };

/** The file's content: deterministic. */
export function generateVectors(): string {
  const all = [...acceptedCases(), ...refusedRequests(), ...refusedSignatures()];
  const cases = all.map(({ name, accept, code, step, jwks = 'live', now = created + 1, request }) => ({
    name,
    accept,
    code,
    step,
    jwks,
    now,
    request,
  }));
  if (new Set(cases.map(({ name }) => name)).size !== cases.length) throw new Error('Two vectors have the same name');
  const document = {
    about: 'Requests that a receiver of webhooks must accept or refuse. Generated: see README.md in this folder.',
    profile: {
      components: ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'],
      alg: 'ecdsa-p384-sha384',
      tolerance_seconds: 300,
    },
    jwks: {
      // Keys for other things stand before ours: whoever takes the first one takes the wrong one.
      live: { keys: [{ ...keys.rsa, kid: 'rsa' }, publicJwk('p256'), publicJwk('successor'), publicJwk('active')] },
      sandbox: { keys: [publicJwk('sandbox')] },
    },
    cases,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

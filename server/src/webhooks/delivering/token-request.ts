// The request for a token and its answer: OAuth 2.0 client credentials (RFC 6749, sections 2.3.1, 4.4, 5). Pure.
import type { Outcome } from '../../base/egress/index.ts';
import { isObject } from '../../base/http/schemas.ts';
import type { Client } from '../endpoints/secrets.ts';

/** RFC 6749, section 5.2. Any other code is text of a stranger. */
const errorCodes = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);
/** A header of a request: more would be refused by most receivers. */
const maxTokenLength = 8_192;
/** For a token without `expires_in`. */
const defaultLifeMs = 5 * 60_000;
const maxLifeMs = 24 * 3_600_000;
/** A token is not used in the last tenth of its life, 30 s at most: requests take time. */
const maxMarginMs = 30_000;

/** `usableMs`: from the request on. */
export type Token = Readonly<{ value: string; usableMs: number }>;
/** Words that the partner may read. */
export type TokenFailure = { readonly detail: string };

export function prepareTokenRequest(client: Client, userAgent: string) {
  const { client_id, client_secret, scope, audience, client_authentication } = client;
  const isBasic = client_authentication === 'basic';
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== null) form.set('scope', scope);
  if (audience !== null) form.set('audience', audience);
  if (!isBasic)
    for (const [name, value] of Object.entries({ client_id, client_secret })) form.set(name, value);
  const credentials = `${formEncoded(client_id)}:${formEncoded(client_secret)}`;
  return {
    body: Buffer.from(form.toString()),
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': userAgent,
      ...(isBasic && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  };
}

const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

export function readTokenAnswer(outcome: Outcome): Token | TokenFailure {
  if (outcome.kind === 'failed') return { detail: `no answer of the token URL: ${outcome.detail}` };
  const { status } = outcome;
  const members = parseObject(outcome.body.toString());
  if (status !== 200) {
    const { error } = members;
    const code = typeof error === 'string' && errorCodes.has(error) ? ` ${error}` : '';
    const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    return { detail: `the token URL answered ${status}${code}${redirect}` };
  }
  const { access_token: value, token_type: type, expires_in: seconds } = members;
  const unusable = (what: string) => ({ detail: `the token URL answered 200 without ${what}` });
  if (typeof value !== 'string') return unusable('a JSON object that has an access_token');
  if (value.length > maxTokenLength || !/^[\x21-\x7e]+$/.test(value))
    return unusable(`an access_token of 1 to ${maxTokenLength} visible ASCII characters`);
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return unusable('the token_type Bearer');
  return { value, usableMs: usableMs(seconds) };
}

function usableMs(expiresIn: unknown): number {
  // Some servers write the number as a text.
  const givenMs =
    typeof expiresIn === 'number' || typeof expiresIn === 'string' ? Number(expiresIn) * 1_000 : NaN;
  const lifeMs = givenMs >= 0 ? Math.min(givenMs, maxLifeMs) : defaultLifeMs;
  return lifeMs - Math.min(lifeMs / 10, maxMarginMs);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

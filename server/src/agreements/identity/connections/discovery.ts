// Reads what a provider says of itself (OpenID Connect Discovery 1.0, section 4).
import type { ServerMetadata } from 'openid-client';
import { type GuardedFetch, UnreachableError } from '../../../base/egress/index.ts';
import { invalidRequest } from '../../../base/errors.ts';
import { createFairQueue } from '../../../base/limits/index.ts';

/** @throws UnreachableError, which says why no sign-in can work with this issuer */
export async function readProvider(fetch: GuardedFetch, issuer: string) {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { headers: { accept: 'application/json' } });
  const document: unknown = response.status === 200 ? await response.json().catch(() => null) : null;
  if (typeof document !== 'object' || document === null)
    throw new UnreachableError(`${address} has no discovery document`);
  const members = document as Record<string, unknown>;
  if (typeof members.issuer !== 'string')
    throw new UnreachableError(`${address} is a document without an issuer`);
  // Exactly: an issuer with a slash at its end is another one.
  if (members.issuer !== issuer)
    throw new UnreachableError(
      `it must equal the issuer that the provider states: ${JSON.stringify(members.issuer).slice(0, 300)}`,
    );
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    const endpoint = URL.parse(String(members[name]));
    // `http:` only beside an issuer that the guard lets pass.
    if (!endpoint || (endpoint.protocol !== 'https:' && endpoint.protocol !== URL.parse(issuer)?.protocol))
      throw new UnreachableError(`it must be a provider whose ${name} is an https URL`);
  }
  return document as ServerMetadata;
}

/**
 * Requires that the issuer is a provider with which a sign-in can work. Call it before any lock is taken: the
 * provider may take seconds.
 * @throws ServiceError invalid_request, which says what is wrong
 */
export function createProviderCheck(fetch: GuardedFetch) {
  const queue = createFairQueue({
    name: 'providers',
    concurrency: 4,
    concurrencyPerGroup: 1,
    what: 'connections of a partner',
  });
  return (partnerId: string, issuer: string) =>
    queue.run(partnerId, async () => {
      const url = URL.parse(issuer);
      if (url?.search !== '' || url.hash !== '')
        throw invalidRequest('/issuer', 'must be a URL without query and fragment');
      await readProvider(fetch, issuer).catch((error: unknown) => {
        if (error instanceof UnreachableError)
          throw invalidRequest('/issuer', `must be a provider that Concord can use: ${error.message}`);
        throw error;
      });
    });
}

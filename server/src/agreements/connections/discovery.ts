// Reads what a provider says of itself (OpenID Connect Discovery 1.0, section 4).
import { type GuardedFetch, UnreachableError } from '../../base/egress/index.ts';
import { invalidRequest } from '../../base/errors.ts';

/**
 * Requires that the issuer is a provider with which a sign-in can work.
 * @throws ServiceError invalid_request, which says what is wrong
 */
export async function requireProvider(fetch: GuardedFetch, issuer: string): Promise<void> {
  const refuse = (problem: string) => invalidRequest('/issuer', problem);
  const url = URL.parse(issuer);
  if (url?.search !== '' || url.hash !== '') throw refuse('must be a URL without query and fragment');
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await read(fetch, address).catch((error: unknown) => {
    if (error instanceof UnreachableError)
      throw refuse(`must be a provider that Concord can reach: ${error.message}`);
    throw error;
  });
  if (document === null) throw refuse(`must be a provider; ${address} has no discovery document`);
  if (document.issuer !== issuer)
    throw refuse(
      `must equal the issuer that the provider states: ${JSON.stringify(document.issuer)?.slice(0, 300)}`,
    );
  for (const member of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    const endpoint = URL.parse(String(document[member]));
    // `http:` only where the guard has let the discovery document pass.
    if (!endpoint || (endpoint.protocol !== 'https:' && endpoint.protocol !== url.protocol))
      throw refuse(`must be a provider whose ${member} is an https URL`);
  }
}

/** Null: it is no JSON object. @throws UnreachableError */
async function read(fetch: GuardedFetch, address: string): Promise<Record<string, unknown> | null> {
  const response = await fetch(address, { headers: { accept: 'application/json' } });
  if (response.status !== 200) return null;
  try {
    const document: unknown = await response.json();
    return typeof document === 'object' && document !== null ? { ...document } : null;
  } catch {
    return null;
  }
}

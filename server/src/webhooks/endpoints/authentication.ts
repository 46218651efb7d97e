// How Concord gets tokens for the requests to an endpoint (behaviour W71): encrypted at rest, shown without the secret.
import type { Secret } from '../../base/config-values.ts';
import { DestinationError, type Destinations } from '../../base/egress/index.ts';
import { invalidRequest } from '../../base/errors.ts';
import type { Authentication, NewAuthentication } from './schema.ts';
import { createSealing } from './sealing.ts';

/** With the secret. */
export type Client = Authentication & { readonly client_secret: string };

export type AuthenticationEncryption = ReturnType<typeof createAuthenticationEncryption>;

export const createAuthenticationEncryption = (secrets: readonly Secret[]) =>
  createSealing<Client>(secrets, 'webhook authentication');

/** With defaults, and the token URL as it is requested. @throws ServiceError invalid_request */
export function readAuthentication(
  destinations: Destinations,
  { type, token_url, client_id, client_secret, ...choices }: NewAuthentication,
): Client {
  const { scope = null, audience = null, client_authentication = 'basic' } = choices;
  try {
    const url = destinations.parseNewUrl(token_url).href;
    return { type, token_url: url, client_id, client_secret, scope, audience, client_authentication };
  } catch (error) {
    throw error instanceof DestinationError
      ? invalidRequest('/authentication/token_url', error.message)
      : error;
  }
}

export const withoutSecret = ({ client_secret: _, ...shown }: Client): Authentication => shown;

// The secrets of endpoints, encrypted at rest and never shown again: the headers that are sent with each webhook, how
// Concord gets tokens (behaviour W71), private keys, and what signs.
import type { Secret } from '../../base/config-values.ts';
import { DestinationError, type Destinations, type KeyPair } from '../../base/egress/index.ts';
import { invalidRequest } from '../../base/errors.ts';
import { formatId } from '../../base/ids.ts';
import { createEncryption } from '../../base/secrets/index.ts';
import type { Authentication, NewAuthentication } from './schema.ts';

type Headers = Readonly<Record<string, string>>;
export type Client = Authentication & { readonly client_secret: string };
/** Base64 of the keys. The first is the present one. */
export type SharedKeys = Readonly<{ keys: readonly string[]; previousUntil: string | null }>;

/** `endpointId`: a bare UUID. Sealed values open only with the same id. */
function createSealing<Value>(secrets: readonly Secret[], purpose: string) {
  const encryption = createEncryption(secrets, purpose);
  const context = (endpointId: string) => formatId('webhook_endpoint', endpointId);
  return {
    seal: (endpointId: string, value: Value): Buffer =>
      encryption.encrypt(JSON.stringify(value), context(endpointId)),
    open: (endpointId: string, sealed: Buffer): Value =>
      JSON.parse(encryption.decrypt(sealed, context(endpointId))),
  };
}

export type Sealings = ReturnType<typeof createSealings>;

export const createSealings = (secrets: readonly Secret[]) => ({
  headers: createSealing<Headers>(secrets, 'webhook headers'),
  authentication: createSealing<Client>(secrets, 'webhook authentication'),
  certificates: createSealing<KeyPair>(secrets, 'webhook client certificates'),
  signingSecrets: createSealing<SharedKeys>(secrets, 'webhook signing secrets'),
});

/** As it is requested. @throws ServiceError invalid_request */
export function readDestination(destinations: Destinations, url: string, pointer: string): string {
  try {
    return destinations.parseNewUrl(url).href;
  } catch (error) {
    throw error instanceof DestinationError ? invalidRequest(pointer, error.message) : error;
  }
}

/** With defaults. @throws ServiceError invalid_request */
export const readAuthentication = (
  destinations: Destinations,
  { scope = null, audience = null, client_authentication = 'basic', ...given }: NewAuthentication,
): Client => ({
  ...given,
  token_url: readDestination(destinations, given.token_url, '/authentication/token_url'),
  scope,
  audience,
  client_authentication,
});

export const withoutSecret = ({ client_secret: _, ...shown }: Client): Authentication => shown;

const maxHeaderBytes = 8 * 1024;
/** Headers that Concord sets, that belong to the connection, or that the signature or the body depends on. */
const reservedHeaders =
  /^(?:host|user-agent|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-.*|signature.*|webhook-.*)$/i;

/** @throws ServiceError invalid_request */
export function readHeaderNames(headers: Headers | null): string[] {
  const refuse = (problem: string): never => {
    throw invalidRequest('/headers', problem);
  };
  const names = Object.keys(headers ?? {});
  const reserved = names.find((name) => reservedHeaders.test(name));
  if (reserved !== undefined) refuse(`must not set ${reserved}, which Concord sets itself`);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    refuse('must not have a name twice');
  if (JSON.stringify(headers ?? {}).length > maxHeaderBytes)
    refuse(`must have at most ${maxHeaderBytes} bytes`);
  return names;
}

// The headers of an endpoint, which are sent with each webhook: encrypted at rest, and never shown again.
import type { Secret } from '../../base/config-values.ts';
import { invalidRequest } from '../../base/errors.ts';
import { createEncryption } from '../../base/secrets/index.ts';

const maxHeaderBytes = 8 * 1024;
/** Headers that Concord sets, that belong to the connection, or that the signature or the body depends on. */
const reservedHeaders =
  /^(?:host|user-agent|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-.*|signature.*|webhook-.*)$/i;

type Headers = Readonly<Record<string, string>>;

export type HeaderEncryption = ReturnType<typeof createHeaderEncryption>;

export function createHeaderEncryption(secrets: readonly Secret[]) {
  const encryption = createEncryption(secrets, 'webhook headers');
  return {
    /** Null if there are no headers. `endpointId`: of the wire. They decrypt only with the same id. */
    encrypt: (endpointId: string, headers: Headers | null): Buffer | null =>
      headers === null || Object.keys(headers).length === 0
        ? null
        : encryption.encrypt(JSON.stringify(headers), endpointId),
    decrypt: (endpointId: string, sealed: Buffer | null): Headers =>
      sealed === null ? {} : JSON.parse(encryption.decrypt(sealed, endpointId)),
  };
}

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

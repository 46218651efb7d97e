// The headers of an endpoint, which are sent with each webhook. They are sealed at rest and never shown
// again.
import type { Secret } from '../../base/config-values.ts';
import { invalidRequest } from '../../base/errors.ts';
import { createSealer } from '../../base/secrets/index.ts';

const maxHeaderBytes = 8 * 1024;
/** Headers that Concord sets, that belong to the connection, or that the signature or the body depends on. */
const reservedHeaders =
  /^(?:host|user-agent|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-.*|signature.*|webhook-.*)$/i;

type Headers = Readonly<Record<string, string>>;

export type HeaderSealer = {
  /**
   * Null if there are no headers. `endpointId` is the id of the wire format. The headers open only with the
   * same id.
   */
  seal(endpointId: string, headers: Headers | null): Buffer | null;
  open(endpointId: string, sealed: Buffer | null): Headers;
};

export function createHeaderSealer(secrets: readonly Secret[]): HeaderSealer {
  const sealer = createSealer(secrets, 'webhook headers');
  return {
    seal: (endpointId, headers) =>
      headers === null || Object.keys(headers).length === 0
        ? null
        : sealer.seal(JSON.stringify(headers), endpointId),
    open: (endpointId, sealed) => (sealed === null ? {} : JSON.parse(sealer.open(sealed, endpointId))),
  };
}

/** @throws ServiceError invalid_request: a reserved header, a name twice, or too many bytes */
export function readHeaderNames(headers: Headers | null): string[] {
  const names = Object.keys(headers ?? {});
  const reserved = names.find((name) => reservedHeaders.test(name));
  if (reserved !== undefined)
    throw invalidRequest('/headers', `must not set ${reserved}, which Concord sets itself`);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalidRequest('/headers', 'must not have a name twice');
  }
  if (JSON.stringify(headers ?? {}).length > maxHeaderBytes) {
    throw invalidRequest('/headers', `must have at most ${maxHeaderBytes} bytes`);
  }
  return names;
}

// Values of endpoints that are encrypted at rest, as JSON.
import type { Secret } from '../../base/config-values.ts';
import { createEncryption } from '../../base/secrets/index.ts';

/** `endpointId`: of the wire. Sealed values open only with the same id. */
export function createSealing<Value>(secrets: readonly Secret[], purpose: string) {
  const encryption = createEncryption(secrets, purpose);
  return {
    seal: (endpointId: string, value: Value): Buffer => encryption.encrypt(JSON.stringify(value), endpointId),
    open: (endpointId: string, sealed: Buffer): Value => JSON.parse(encryption.decrypt(sealed, endpointId)),
  };
}

// The key of seals, one for each version of the master secrets.
import type { Secret } from '../../base/config-values.ts';
import { deriveKey } from '../../base/secrets/index.ts';

export type SealKeys = {
  readonly currentVersion: number;
  of(version: number): Buffer | undefined;
};

export function createSealKeys(secrets: readonly Secret[]): SealKeys {
  const keys = new Map(secrets.map((secret) => [secret.version, deriveKey(secret, 'audit seal')]));
  return { currentVersion: Math.max(...keys.keys()), of: (version) => keys.get(version) };
}

// Keys derived from CONCORD_SECRETS: one independent key for each purpose (HKDF, RFC 5869).
import { hkdfSync } from 'node:crypto';

/** One version of the master secret. The highest version is the current one; older ones only open what they sealed. */
export type Secret = { readonly version: number; readonly value: string };

/** 32 bytes that only this purpose uses: knowing one derived key tells nothing of another. */
export function deriveKey(secret: Secret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.value, 'concord', purpose, 32));
}

/**
 * Reads `2:<value>,1:<value>`: the highest version first in the answer.
 * @throws Error that says what is expected
 */
export function parseSecrets(text: string): readonly Secret[] {
  const secrets = text.split(',').map((entry) => {
    const [, version, value] = /^\s*(\d{1,9}):(\S{32,512})\s*$/.exec(entry) ?? [];
    if (version === undefined || value === undefined) {
      throw new Error(
        'must be version:value pairs separated by commas, each value of 32 characters or more without spaces',
      );
    }
    return { version: Number(version), value };
  });
  if (new Set(secrets.map(({ version }) => version)).size !== secrets.length)
    throw new Error('has a version twice');
  return secrets.toSorted((a, b) => b.version - a.version);
}

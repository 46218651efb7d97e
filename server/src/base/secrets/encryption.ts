// Encryption at rest: AES-256-GCM under keys derived from CONCORD_SECRETS, one key for each purpose (HKDF,
// RFC 5869).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../config-values.ts';

/** A key of 32 bytes for one purpose. One derived key reveals nothing about another. */
export function deriveKey(secret: Secret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.value, 'concord', purpose, 32));
}

/** Encrypts and decrypts for one purpose. */
export type Encryption = {
  /**
   * Encrypts under the current secret. `context` binds the result to one row: `decrypt` fails with any other
   * context.
   */
  encrypt(plain: string, context: string): Buffer;
  /**
   * @throws Error when the context or the purpose differs, the bytes were altered, or the version of the
   * secret is not configured
   */
  decrypt(encrypted: Buffer, context: string): string;
};

/**
 * Layout: the version of the secret (4 bytes), the nonce (12), the tag (16), the cipher text. The highest
 * version encrypts.
 */
export function createEncryption(secrets: readonly Secret[], purpose: string): Encryption {
  const keys = new Map(secrets.map((secret) => [secret.version, deriveKey(secret, purpose)]));
  const current = Math.max(...keys.keys());
  const keyOf = (version: number) => {
    const key = keys.get(version);
    if (!key) throw new Error(`Encrypted with version ${version} of the secrets, which is not configured`);
    return key;
  };
  return {
    encrypt(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyOf(current), nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const version = Buffer.alloc(4);
      version.writeUInt32BE(current);
      return Buffer.concat([version, nonce, cipher.getAuthTag(), text]);
    },
    decrypt(encrypted, context) {
      const key = keyOf(encrypted.readUInt32BE(0));
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(4, 16), { authTagLength: 16 })
        .setAAD(Buffer.from(context))
        .setAuthTag(encrypted.subarray(16, 32));
      return Buffer.concat([decipher.update(encrypted.subarray(32)), decipher.final()]).toString('utf8');
    },
  };
}

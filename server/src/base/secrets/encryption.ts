// Encryption at rest: AES-256-GCM, with a key for each purpose derived from CONCORD_SECRETS (HKDF, RFC 5869).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config-values.ts';

/** 32 bytes. One derived key reveals nothing about another. */
export function deriveKey(secret: Secret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.value, 'concord', purpose, 32));
}

/** In constant time, but for the length. */
export const isSameSecret = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

export type Encryption = {
  /** Under the current secret. `context` binds the result to one row. */
  encrypt(plain: string, context: string): Buffer;
  /** @throws Error when context, purpose or bytes differ, or the secret is not configured */
  decrypt(encrypted: Buffer, context: string): string;
};

/** Layout: version of the secret (4 bytes), nonce (12), tag (16), cipher text. */
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

// The recipient as an HMAC: the outbox names nobody, and mails to an address can be found.
import { createHmac } from 'node:crypto';
import type { Secret } from '../config-values.ts';
import { deriveKey } from '../secrets/index.ts';

export type Recipients = ReturnType<typeof createRecipients>;

export function createRecipients(secrets: readonly Secret[]) {
  const keys = [...secrets]
    .sort((a, b) => b.version - a.version)
    .map((secret) => deriveKey(secret, 'mail recipient'));
  const macs = (address: string) =>
    keys.map((key) => createHmac('sha256', key).update(address.toLowerCase()).digest());
  /** Under the current secret. */
  function write(address: string): Buffer {
    const [current] = macs(address);
    if (!current) throw new Error('There is no secret');
    return current;
  }
  return {
    write,
    /** One for each secret, since a mail that waits may be older than the current one. */
    find: macs,
    /** The domain of the address, under the current secret. */
    domain: (address: string) => write(address.slice(address.lastIndexOf('@'))),
  };
}

// The recipient as an HMAC: the outbox names nobody, and mails to an address can be found.
import { createHmac } from 'node:crypto';
import type { Secret } from '../config-values.ts';
import { deriveKey } from '../secrets/index.ts';

export type Recipients = ReturnType<typeof createRecipients>;

/** Addresses differ in case only before they are normalized. */
const normalize = (address: string) => address.toLowerCase();

export function createRecipients(secrets: readonly Secret[]) {
  const keys = [...secrets]
    .sort((a, b) => b.version - a.version)
    .map((secret) => deriveKey(secret, 'mail recipient'));
  const macs = (address: string) =>
    keys.map((key) => createHmac('sha256', key).update(normalize(address)).digest());
  /** Under the current secret. */
  function write(text: string): Buffer {
    const [current] = macs(text);
    if (!current) throw new Error('There is no secret');
    return current;
  }
  return {
    write,
    /** One for each secret: a mail may wait since before the current one. */
    find: macs,
    /** The domain of the address, under the current secret. */
    domain: (address: string) => write(address.slice(address.lastIndexOf('@'))),
  };
}

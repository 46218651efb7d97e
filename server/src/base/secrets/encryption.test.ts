// Encryption at rest: what opens a sealed value, and what does not.
import { expect, it } from 'vitest';
import { createEncryption } from './encryption.ts';

const secret = (version: number, value = version) => ({ version, value: String(value).repeat(32) });
const usual = { secrets: [secret(1)], purpose: 'signing keys', context: 'live kid' };

function open(sealed: Buffer, { secrets, purpose, context }: typeof usual): string {
  return createEncryption(secrets, purpose).decrypt(sealed, context);
}

it('W7: what is sealed opens with its secret, for its own purpose and row, and unchanged', () => {
  const sealed = createEncryption(usual.secrets, usual.purpose).encrypt('the key', usual.context);
  const rotated = [secret(2), secret(1)];
  for (const secrets of [usual.secrets, rotated]) expect(open(sealed, { ...usual, secrets })).toBe('the key');
  for (const other of [
    { context: 'sandbox kid' },
    { purpose: 'mail' },
    { secrets: [secret(2)] },
    { secrets: [secret(1, 2)] },
  ])
    expect(() => open(sealed, { ...usual, ...other }), JSON.stringify(other)).toThrow();
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => open(changed, usual), `byte ${at}`).toThrow();
    expect(() => open(sealed.subarray(0, at), usual), `${at} bytes`).toThrow();
  }
  const next = createEncryption(rotated, usual.purpose).encrypt('the key', usual.context);
  expect(() => open(next, usual)).toThrow('version 2');
});

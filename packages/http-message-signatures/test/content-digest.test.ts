// Content-Digest: the examples of RFC 9530, and invalid values.
import { expect, it } from 'vitest';
import { createContentDigest, verifyContentDigest } from '../src/index.ts';

const hello = '{"hello": "world"}';
const sha256 = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:';
const sha512 =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';

it('creates the values that RFC 9530 and RFC 9421 print', async () => {
  expect(await createContentDigest(hello)).toBe(sha256);
  expect(await createContentDigest(new TextEncoder().encode(hello), ['sha-512'])).toBe(sha512);
  expect(await createContentDigest(hello, ['sha-256', 'sha-512'])).toBe(`${sha256}, ${sha512}`);
  expect(await createContentDigest('')).toBe('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:');
});

it('verifies one or both known algorithms, and ignores others', async () => {
  for (const value of [sha256, sha512, `${sha256}, ${sha512}`, `md5=:AAAA:, ${sha256}`]) {
    await expect(verifyContentDigest(value, hello)).resolves.toBeUndefined();
  }
});

it('hashes only the bytes of a view into a larger buffer', async () => {
  const bytes = new TextEncoder().encode(`xx${hello}xx`).subarray(2, -2);
  await expect(verifyContentDigest(sha256, bytes)).resolves.toBeUndefined();
});

it.each([
  [sha256, `${hello}\n`, 'digest_mismatch'],
  [`${sha256}, ${sha512.replace('WZD', 'XZD')}`, hello, 'digest_mismatch'],
  ['sha-256=:X48E:', hello, 'digest_mismatch'],
  ['sha-256=::', hello, 'digest_mismatch'],
  ['md5=:AAAA:', hello, 'unsupported'],
  ['', hello, 'unsupported'],
  ['sha-256="X48E"', hello, 'field_malformed'],
  ['sha-256=X48E', hello, 'field_malformed'],
  ['sha-256', hello, 'field_malformed'],
  ['constructor=:AAAA:', hello, 'unsupported'],
  [`${sha256}, ${sha256}`, hello, 'label_duplicate'],
  [`${sha256}\n`, hello, 'character_invalid'],
])('refuses %s', async (value, content, code) => {
  await expect(verifyContentDigest(value, content)).rejects.toMatchObject({ code });
});

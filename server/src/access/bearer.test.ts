// What an Authorization header can hold.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { newAccessToken, readBearer } from './bearer.ts';

it('T2: an access token is recognised by its prefix and checksum, and found by its hash', () => {
  const { token, hash, prefix } = newAccessToken();
  expect(readBearer(`Bearer ${token}`)).toEqual({ kind: 'token', secret: hash });
  expect([token.length, token.startsWith(prefix), prefix.length]).toEqual([50, true, 18]);
  expect(newAccessToken().token).not.toBe(token);
  const wrong = [...token.slice(12)].map((character, index) => {
    const other = character === 'a' ? 'b' : 'a';
    return token.slice(0, 12 + index) + other + token.slice(13 + index);
  });
  for (const text of [...wrong, token.slice(0, -1), `${token}0`, `${token}.x`])
    expect(readBearer(`Bearer ${text}`)).toBeNull();
});

it('E4: a session token is read with the scheme in any case, with or without a signature', () => {
  const token = 'a'.repeat(32);
  const hash = createHash('sha256').update(token).digest('hex');
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token} `, `Bearer ${token}.sig%3D`])
    expect(readBearer(header)).toEqual({ kind: 'session', secret: hash, token });
  for (const header of [
    undefined,
    '',
    'Bearer',
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token} x`,
    `Bearer ${hash}`,
  ])
    expect(readBearer(header)).toBeNull();
});

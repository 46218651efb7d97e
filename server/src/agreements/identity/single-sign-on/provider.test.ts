// What a provider says of a person.
import { expect, it } from 'vitest';
import { toClaims } from './provider.ts';

it('K13: an address at Google counts only with the domain of a company, whatever email_verified says', () => {
  const said = { sub: '1', email: 'ann@nordlys.example', email_verified: true };
  const isVerified = (issuer: string, more = {}) => toClaims(issuer, { ...said, ...more }).emailVerified;
  expect(isVerified('https://accounts.google.com')).toBe(false);
  expect(isVerified('https://accounts.google.com', { hd: '' })).toBe(false);
  expect(isVerified('https://accounts.google.com', { hd: 'nordlys.example' })).toBe(true);
  expect(isVerified('https://login.example')).toBe(true);
});

it('K13: an email_verified that is not true is refused, and a missing one is enough', () => {
  const isVerified = (email_verified: unknown) =>
    toClaims('https://login.example', { sub: '1', email_verified }).emailVerified;
  expect([true, 'true', 'True', 1, null, undefined].filter((said) => !isVerified(said))).toEqual([]);
  expect([false, 'false', 'False', 0, 'no', '', [], {}].filter(isVerified)).toEqual([]);
});

it('K15: a time of a sign-in that cannot be counts as none', () => {
  const timeOf = (auth_time: unknown) =>
    toClaims('https://login.example', { sub: '1', auth_time }).authTimeMs;
  expect([1.5, 0, -1e300, '1', null].map(timeOf)).toEqual([1_500, 0, null, null, null]);
});

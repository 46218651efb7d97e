// Which claims of a provider say that an address is verified.
import { expect, it } from 'vitest';
import { mapMicrosoft, mapVerified } from './verified-addresses.ts';

it('T14: only a true claim verifies an address, and Microsoft has a claim of its own', () => {
  const email = 'ann@nordlys.example';
  for (const claims of [
    { email },
    { email, email_verified: 'false' },
    { email, email_verified: null },
    { email, email_verified: {} },
  ]) {
    expect(mapVerified(claims)).toEqual({ emailVerified: false });
    expect(mapMicrosoft(claims)).toEqual({ emailVerified: false });
  }
  expect(mapVerified({ email, xms_edov: true })).toEqual({ emailVerified: false });
  for (const xms_edov of [true, 'true', 1, '1'])
    expect(mapMicrosoft({ email, xms_edov })).toEqual({ emailVerified: true });
  for (const xms_edov of [false, 'false', 0, '0', null])
    expect(mapMicrosoft({ email, xms_edov })).toEqual({ emailVerified: false });
  expect(mapVerified({ email, email_verified: true })).toEqual({ emailVerified: true });
});

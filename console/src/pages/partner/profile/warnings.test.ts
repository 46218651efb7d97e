import { expect, it } from 'vitest';
import { findWarnings } from './warnings.ts';

const warned = (name: string, ...texts: string[]) =>
  texts.filter((text) => findWarnings({ [name]: '' }, { [name]: text }).length > 0);

it('B65: what looks wrong in a profile is named, and what looks right is not', () => {
  expect(
    warned('website', 'nordlys', 'javascript:alert(1)', 'https://nordlys.example/x', 'http://x.no'),
  ).toEqual(['nordlys', 'javascript:alert(1)']);
  expect(warned('phone', 'call me', '12', '+47 21 00 00 00', '(020) 7946-0958 ext. 3')).toEqual([
    'call me',
    '12',
  ]);
  expect(
    warned('billing_address.country', 'Norwegen und so', 'XQ', 'Norway', 'NO', 'no', 'United States'),
  ).toEqual(['Norwegen und so', 'XQ']);
  expect(warned('billing_address.latitude', '95', 'north', '59.9', '-90')).toEqual(['95', 'north']);
  expect(warned('billing_address.longitude', '181', '-180')).toEqual(['181']);
});

it('B65: a field that is empty or was not changed is not warned about', () => {
  expect(findWarnings({ phone: 'x', website: 'y' }, { phone: 'x', website: ' ' })).toEqual([]);
});

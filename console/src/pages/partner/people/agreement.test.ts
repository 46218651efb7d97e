import { expect, it } from 'vitest';
import { splitAddresses } from './agreement.ts';

it('B67: addresses are split at commas, semicolons, spaces and lines, each once, without names', () => {
  expect(splitAddresses(' a@x.example, b@x.example;c@x.example\n A@X.example\tbob ')).toEqual([
    'a@x.example',
    'b@x.example',
    'c@x.example',
    'bob',
  ]);
  expect(splitAddresses('Ann Lee <ann@x.example>, "Bo" <bo@x.example>')).toEqual([
    'ann@x.example',
    'bo@x.example',
  ]);
  expect(splitAddresses(' ,; ')).toEqual([]);
});

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
  // Only what stands before a `<` is a name: nothing else that was typed is lost.
  expect(splitAddresses('bob@x.example Ann <ann@x.example>; Moe, Kari<kari@x.example>\nola')).toEqual([
    'bob@x.example',
    'ann@x.example',
    'kari@x.example',
    'ola',
  ]);
  expect(splitAddresses(' ,; ')).toEqual([]);
  // Without a bound of names, this takes many minutes.
  expect(splitAddresses('many words '.repeat(100_000))).toEqual(['many', 'words']);
});

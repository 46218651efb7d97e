// The table and results.json.
import { expect, test } from 'vitest';
import { formatTable, mergeResults } from './report.ts';
import type { Row } from './rounds.ts';

const bare: Row = {
  case: 'access_read',
  variant: 'bare',
  unit: 'requests/s',
  value: { median: 13_529.4, min: 9_000, max: 14_000 },
  against: null,
  ratio: null,
};
const pool: Row = {
  ...bare,
  variant: 'pool',
  value: { median: 1_600, min: 1_600, max: 1_600 },
  against: 'bare',
  ratio: { median: 0.118_26, min: 0.1, max: 0.13 },
};

test('the columns of the table are aligned, numbers to the right', () => {
  expect(formatTable([bare, pool]).split('\n')).toEqual([
    'case         variant  value     min..max  unit        against  ratio      min..max',
    'access_read  bare     13529  9000..14000  requests/s  -            -             -',
    'access_read  pool      1600            -  requests/s  bare     0.118  0.100..0.130',
  ]);
});

test('the results of a case replace those of its last run and leave the other cases, in the order of names', () => {
  const old = (name: string) => ({ name, value: 1, unit: 's', against: null, ratio: null });
  const before = [old('webhook_latency/idle'), old('access_read/removed'), old('access/other')];
  expect(mergeResults(before, [pool, bare])).toEqual([
    old('access/other'),
    { name: 'access_read/bare', value: 13_529.4, unit: 'requests/s', against: null, ratio: null },
    { name: 'access_read/pool', value: 1_600, unit: 'requests/s', against: 'access_read/bare', ratio: 0.118_26 },
    old('webhook_latency/idle'),
  ]);
});

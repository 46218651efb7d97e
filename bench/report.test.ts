// The table.
import { expect, test } from 'vitest';
import type { Row } from './case.ts';
import { compare, formatTable } from './report.ts';
import { costOf } from './usage.ts';

const cpuMs = { service: 500, postgres: 250, receiver: 0, load: 33 };
const cost = costOf(
  { cpuMs, memoryMib: { service: 180.4, postgres: 90, receiver: 0, load: 0 } },
  'request',
  1_000,
);
const bare: Row = { name: 'bare_http', value: 13_529.4, unit: 'requests/s', cost };
const read: Row = { name: 'get_partner', value: 1_600, unit: 'requests/s' };
const wait: Row = { name: 'get_partner p99', value: 4.5, unit: 'ms' };

test('the table is Markdown with aligned columns, and has the cost of one request', () => {
  expect(formatTable([bare, read]).split('\n')).toEqual([
    '| case        | result | unit       | ratio | CPU per | service ms | PostgreSQL ms | receiver ms | load ms | service MiB | PostgreSQL MiB |',
    '| ----------- | -----: | ---------- | ----- | ------- | ---------: | ------------: | ----------: | ------: | ----------: | -------------: |',
    '| bare_http   |  13529 | requests/s |       | request |      0.500 |         0.250 |           0 |  0.0330 |         180 |             90 |',
    '| get_partner |   1600 | requests/s |       |         |            |               |             |         |             |                |',
  ]);
});

test('the first result is compared with the yardstick', () => {
  expect(compare([read, wait], { name: 'bare_http', row: { ...bare, value: 16_000 } })).toEqual([
    { ...read, against: 'bare_http', ratio: 0.1 },
    wait,
  ]);
  expect(compare([read], undefined)).toEqual([read]);
});

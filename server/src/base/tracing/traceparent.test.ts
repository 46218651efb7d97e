// The header traceparent, with the examples of W3C Trace Context.
import { expect, it } from 'vitest';
import { readTraceparent, writeTraceparent } from './traceparent.ts';

const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

it('O10: a valid traceparent is read, and written as it was', () => {
  const read = readTraceparent(valid)!;
  expect(read).toMatchObject({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    traceFlags: 1,
  });
  expect(writeTraceparent(read)).toBe(valid);
  expect(readTraceparent(valid.replace(/1$/, '0'))?.traceFlags).toBe(0);
  expect(readTraceparent(`01${valid.slice(2)}-more`)).toBeDefined();
});

it('O10: what is no valid traceparent is ignored', () => {
  for (const header of [
    ...[
      undefined,
      null,
      '',
      'concord',
      valid.toUpperCase(),
      `${valid}-more`,
      `${valid}, ${valid}`,
      `ff${valid.slice(2)}`,
    ],
    ...[
      valid.slice(1),
      valid.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
      valid.replace('00f067aa0ba902b7', '0'.repeat(16)),
    ],
  ])
    expect(readTraceparent(header), String(header)).toBeUndefined();
});

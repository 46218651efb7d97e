// The log for people.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { toPretty } from './log.ts';

it('O13: a line for people has the time, the level, the message, every member, and the stack of an error', () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(toPretty(line)) });
  logger.info({ request_id: 'r-1', status: 200, list: [1] }, 'request');
  logger.child({ trace_id: 't-1' }).error({ err: new Error('no connection') });
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}request request_id=r-1 status=200 list=\[1\]\n$/,
  );
  expect(lines[1]).toMatch(/^\S+ ERROR no connection trace_id=t-1\n {4}Error: no connection\n {8}at /);
});

it('O13: a text of somebody else begins no line of its own, and sends no command to the terminal', () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(toPretty(line)) });
  const text = 'refused\n2026-11-22T00:00:00.000Z INFO  \u001b[2Jall is well\u2028\u202e';
  const escaped = 'refused\\u000a2026-11-22T00:00:00.000Z INFO  \\u001b[2Jall is well\\u2028\\u202e';
  logger.warn({ reason: text, list: ['\u009b'] }, text);
  expect(lines[0]).toMatch(/^[^\n]*\n$/);
  expect(lines[0]).toContain(`WARN  ${escaped} reason=${escaped} list=["\\u009b"]`);
  logger.error({ err: new Error(text) });
  expect(lines[1]?.split('\n').slice(1, 3)).toEqual([
    '    Error: refused',
    '    2026-11-22T00:00:00.000Z INFO  \\u001b[2Jall is well\\u2028\\u202e',
  ]);
});

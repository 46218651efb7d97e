// The log for people.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { toPretty } from './log.ts';

it('O13: a line for people has the time, the level, the message, every member, and the stack of an error', () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(toPretty(line)) });
  logger.info({ request_id: 'r-1', status: 200, list: [1] }, 'request');
  logger.child({ trace_id: 't-1' }).error({ err: new Error('no connection') });
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}request request_id=r-1 status=200 list=\[1\]\n$/);
  expect(lines[1]).toMatch(/^\S+ ERROR no connection trace_id=t-1\n {4}Error: no connection\n {8}at /);
});

// The log on a full disk, and the log for people.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openLog, toPretty } from './log.ts';

it.skipIf(!existsSync('/dev/full'))('O88: what waits is written when the disk has space again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const output = openLog(openSync('/dev/full', 'w'));
  for (let line = 0; line < 5_000; line++) output.write(`${String(line).padStart(300)}\n`);
  const file = join(folder, 'log');
  Object.assign(output, { fd: openSync(file, 'w') });
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number);
  await expect.poll(lines).toHaveLength(Math.floor(1_048_576 / 301));
  output.write('5000\n');
  expect([lines()[0], lines().at(-1)]).toEqual([0, 5_000]);
});

it.skipIf(!existsSync('/dev/full'))('O88: the end of the process writes what waits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log');
  const program = `
    import { openSync } from 'node:fs';
    import { openLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    const output = openLog(openSync('/dev/full', 'w'));
    output.write('the last line\\n');
    output.fd = openSync(${JSON.stringify(file)}, 'w');
    process.exit();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(readFileSync(file, 'utf8')).toBe('the last line\n');
});

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

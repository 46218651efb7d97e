// The commands that pages offer, as a shell reads them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quote, toCommand } from './command.ts';

/** The arguments of `curl` when a person pastes the command, and the files that it left behind. */
function paste(command: string): { args: string[]; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'concord-command-'));
  try {
    const input = `curl() { printf '%s\\0' "$@"; }\n${command}\n`;
    const env = { PATH: process.env.PATH, CONCORD_TOKEN: 'secret', CONCORD_SESSION: 'session' };
    const output = execFileSync('sh', { cwd: folder, env, input, encoding: 'utf8' });
    return { args: output.split('\0').slice(0, -1), files: readdirSync(folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const hostile = [
  "'; touch x; '",
  "' && touch x #",
  '$(touch x)',
  '`touch x`',
  '"; touch x; "',
  "one\n'\ntouch x\n'two\n",
  "\\'; touch x; \\'",
  '$HOME !! \\ * ~ & | ; < > \u001b \u2028',
];
const origin = 'https://concord.example';
const token = 'Authorization: Bearer secret';

it.each(hostile)('B51: a shell reads data as one argument: %j', (text) => {
  const body = { type: 'parcel.shipped', data: { [text]: [text] } };
  expect(paste(toCommand({ method: 'POST', path: '/partners/ptr_1/events', body, origin }))).toEqual({
    args: [`${origin}/partners/ptr_1/events`, '--header', token, '--json', JSON.stringify(body)],
    files: [],
  });
});

it.each(hostile)('B51: a shell reads a path as one argument: %j', (text) => {
  expect(paste(toCommand({ method: 'DELETE', path: `/${text}`, origin }))).toEqual({
    args: [`${origin}/${text}`, '--request', 'DELETE', '--header', token],
    files: [],
  });
});

it.each(hostile)('B31, B51: a shell reads what is quoted as it is: %j', (text) => {
  expect(paste(`curl ${quote(text)}`)).toEqual({ args: [text], files: [] });
});

it('B51: a command has no control character that a terminal would take as a key', () => {
  const data = String.fromCharCode(...Array(0xa0).keys());
  const command = toCommand({ method: 'POST', path: '/partners', body: { data }, origin });
  expect(command.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(paste(command).args.at(-1) ?? '')).toEqual({ data });
});

it('B51: the method is named where curl would use another one, and the token stays in a variable', () => {
  const path = '/partners';
  expect(toCommand({ method: 'GET', path, origin })).not.toContain('--request');
  expect(paste(toCommand({ method: 'POST', path, origin })).args).toContain('POST');
  expect(paste(toCommand({ method: 'PUT', path, body: {}, origin })).args).toContain('PUT');
  expect(paste(toCommand({ method: 'GET', path, origin, variable: 'CONCORD_SESSION' })).args).toContain(
    'Authorization: Bearer session',
  );
});

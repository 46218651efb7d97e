import { describe, expect, it } from 'vitest';
import { readCommandLine, usage } from './command-line.ts';

const read = (line: string) => readCommandLine(line.split(' ').filter(Boolean));

describe('the command line', () => {
  it('has a command and its options', () => {
    expect(read('')).toEqual({ command: '', values: {} });
    expect(read('backup --verify F')).toEqual({ command: 'backup', values: { verify: 'F' } });
    expect(read('keys --kid=x revoke')).toEqual({ command: 'keys revoke', values: { kid: 'x' } });
    expect(read('frobnicate --help').values.help).toBe(true);
  });

  it('O83: each line of the help is a command with its options', () => {
    const lines = [...usage.matchAll(/npm run concord -- (.*?) {2,}(.*)/g)];
    expect(lines.length).toBeGreaterThan(10);
    for (const [, line = ''] of lines) {
      const { command, values } = read(line.replaceAll(/[[\]]/g, ''));
      const named = [...line.matchAll(/--([\w-]+)/g)].map(([, name]) => name);
      expect([line, Object.keys(values)]).toEqual([line, named]);
      if (command !== null) expect(line.startsWith(command)).toBe(true);
    }
  });

  it.each([
    ['backup --verify F --kid=x', 'backup takes --to, --verify and --with-secrets, not --kid.'],
    ['keys list --kid=x --json', 'keys list takes no options, not --kid and --json.'],
    ['doctor --kid=x', 'doctor takes --json, not --kid.'],
    ['operator create --email a --expect=x', 'operator create takes --email, not --expect.'],
    ['--to F', 'npm start takes no options, not --to.'],
    ['frobnicate', 'There is no command "frobnicate".'],
    ['doctor now', 'There is no command "doctor now".'],
    ['constructor', 'There is no command "constructor".'],
    ['doctor --jsonn', "Unknown option '--jsonn'.\n\n"],
    ['backup --to', "Option '--to <value>' argument missing.\n\n"],
  ])('O83: refuses "%s"', (line, message) => {
    expect(() => read(line)).toThrow(message);
    expect(() => read(line)).toThrow('Usage: npm start');
  });
});

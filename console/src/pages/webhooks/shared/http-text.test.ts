// "Copy as curl" of an attempt, pasted into a terminal whose shell has no bracketed paste.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toCurl } from './http-text.ts';

const shells = { dash: 'dash -i', bash: 'bash --norc --noprofile -i' };
const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((text) =>
  /\p{Cc}/u.test(text),
);
const send = (body: string) =>
  toCurl({ method: 'POST', url: 'https://a.example/', headers: [{ name: 'a', value: 'b' }], body });

/** The bodies that curl got, one for each command, and whether anything else ran. */
async function paste(
  shell: string,
  commands: readonly string[],
): Promise<{ bodies: (string | null)[]; ran: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-paste-'));
  const path = (name: string) => join(folder, name);
  try {
    writeFileSync(path('inputrc'), 'set enable-bracketed-paste off\n');
    const env = {
      PATH: process.env.PATH,
      TERM: 'xterm',
      INPUTRC: path('inputrc'),
      HISTFILE: '/dev/null',
      LC_ALL: 'C.UTF-8',
    };
    const curl =
      'curl() { for last; do :; done; if [ "$last" = @- ]; then cat; else printf %s "$last"; fi > "body-$n"; }';
    const lines = commands.map((command, index) => `n=${index}\n${command}\n`).join('');
    const terminal = spawn('script', ['--quiet', '--command', shell, '/dev/null'], {
      cwd: folder,
      env,
      timeout: 20_000,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    terminal.stdin.write(`${curl}\n${lines}exit\n`);
    await once(terminal, 'close');
    const read = (index: number) =>
      existsSync(path(`body-${index}`)) ? readFileSync(path(`body-${index}`), 'utf8') : null;
    return { bodies: commands.map((_, index) => read(index)), ran: existsSync(path('ran')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each(Object.entries(shells))(
  'B53: no control character of a body is a key of the terminal of %s',
  async (_, shell) => {
    const bodies = controls.map((control) => `{"a":"é%d\\n'${control.repeat(60)}; touch ran #"}`);
    expect(await paste(shell, bodies.map(send))).toEqual({ bodies, ran: false });
  },
  30_000,
);

it('B53: a body without control characters is an argument of curl', () => {
  expect(send('{"a":"100% \\n"}')).toContain(`--data-binary '{"a":"100% \\n"}'`);
});

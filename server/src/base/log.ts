// Where the log goes, and what people read in a terminal: its lines, and what commands print.
import { destination } from 'pino';

/** Lines that cannot be written wait here. Further ones are lost. */
const maxUnwrittenBytes = 1024 * 1024;
const retryMs = 100;

/** A full disk must not end the process, nor a reader that hangs stop it: pino would sleep until a pipe has space. */
export function openLog(fd: number) {
  const retryEAGAIN = () => false;
  const output = destination({ dest: fd, sync: true, maxLength: maxUnwrittenBytes, retryEAGAIN });
  let retries = false;
  // A line that is lost does not try again what waits.
  output.on('error', () => {
    if (retries) return;
    retries = true;
    setTimeout(() => {
      retries = false;
      output.write('');
    }, retryMs).unref();
  });
  process.once('exit', () => output.write(''));
  return output;
}

const names: Readonly<Record<number, string>> = {
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** A text of somebody else must not begin a line, or command the terminal. */
export const toHarmless = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Lines stay, and nothing else moves the cursor. */
export const toTerminal = (text: string): string => text.split('\n').map(toHarmless).join('\n');

/** The stack of an error follows in lines of its own. */
export function toPretty(line: string): string {
  const {
    time,
    level,
    msg,
    err,
    pid: _,
    hostname: _host,
    ...rest
  } = JSON.parse(line) as Record<string, unknown>;
  const members = Object.entries(rest).map(
    ([name, value]) => `${name}=${toHarmless(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const message = typeof msg === 'string' ? [toHarmless(msg)] : [];
  const head = [
    new Date(Number(time)).toISOString(),
    (names[Number(level)] ?? String(level)).padEnd(5),
    ...message,
    ...members,
  ];
  const stack =
    typeof err === 'object' && err !== null && 'stack' in err ? String(err.stack).split('\n') : [];
  return `${[head.join(' '), ...stack.map((each) => `    ${toHarmless(each)}`)].join('\n')}\n`;
}

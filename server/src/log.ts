// Lines of the log for people, from the JSON of the logger.

const names: Readonly<Record<number, string>> = { 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** The time, the level and the message, then the other members as `name=value`. The stack of an error follows in lines of its own. */
export function toPretty(line: string): string {
  const { time, level, msg, err, pid: _, hostname: _host, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const members = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [new Date(Number(time)).toISOString(), (names[Number(level)] ?? String(level)).padEnd(5), msg, ...members];
  const stack =
    typeof err === 'object' && err !== null && 'stack' in err ? `\n${String(err.stack).replaceAll(/^/gm, '    ')}` : '';
  return `${head.filter((part) => part !== undefined).join(' ')}${stack}\n`;
}

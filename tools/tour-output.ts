// Makes what curl prints easier to read: a line of JSON becomes indented JSON.
const width = 120;

/** Lines that are not a JSON object or array stay as they are. */
export function prettify(output: string): string {
  return output
    .split(/\r?\n/)
    .map((line) => (/^[[{]/.test(line) ? prettifyLine(line) : line))
    .join('\n');
}

function prettifyLine(line: string): string {
  try {
    return print(JSON.parse(line), '');
  } catch {
    return line;
  }
}

/** One line where it fits; else one line for each member or item. */
function print(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= width) return flat;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([name, item]) => `${deeper}${isList ? '' : `${JSON.stringify(name)}: `}${print(item, deeper)}`,
  );
  return `${isList ? '[' : '{'}\n${parts.join(',\n')}\n${indent}${isList ? ']' : '}'}`;
}

// JSON as a person writes it: where it is wrong, and on which line a member is.
import { stepsOf } from '#format/json.ts';

/** Null: it is JSON. */
export function findFault(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = String((error as Error).message);
    const place = /line (\d+) column (\d+)/.exec(message);
    const what = message
      .replace(/^JSON\.parse: /, '')
      .replace(/,? ?(in JSON )?at (position|line) .*$/, '')
      .replace(/, (\.\.\.)?".*$/s, '');
    if (place) return `Line ${place[1]}, column ${place[2]}: ${what}`;
    const offset = /position (\d+)/.exec(message)?.[1];
    return offset === undefined ? what : `${placeOf(text, Number(offset))}: ${what}`;
  }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** The line of the value with this JSON pointer, from 1 on. Null: the text has no such value. */
export function lineOf(text: string, pointer: string): number | null {
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g)];
  let next = 0;
  const take = () => tokens[next++];
  /** Reads one value. Returns the offset of the value at `rest` in it, or null. */
  function find(rest: readonly string[] | null): number | null {
    const token = take();
    if (token === undefined) return null;
    let found = rest?.length === 0 ? token.index : null;
    const close = token[0] === '{' ? '}' : token[0] === '[' ? ']' : null;
    if (close === null) return found;
    for (let index = 0; next < tokens.length && tokens[next]?.[0] !== close; index += 1) {
      let key = String(index);
      if (close === '}') {
        key = JSON.parse(take()?.[0] ?? '""');
        take();
      }
      found = find(rest !== null && rest[0] === key ? rest.slice(1) : null) ?? found;
      if (tokens[next]?.[0] === ',') take();
    }
    take();
    return found;
  }
  if (findFault(text) !== null) return null;
  const offset = find(stepsOf(pointer));
  return offset === null ? null : text.slice(0, offset).split('\n').length;
}

// Remembers the results of a function of a text, up to a number of them.
import { keepLast } from '../../base/keep-last.ts';

export function remember<Result>(most: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    keepLast(known, text, result, most);
    return result;
  };
}

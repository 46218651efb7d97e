// Remembers the results of a function of a text, up to a number of them.

export function remember<Result>(most: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= most) for (const oldest of known.keys()) if (known.delete(oldest)) break;
    const result = compute(text);
    known.set(text, result);
    return result;
  };
}

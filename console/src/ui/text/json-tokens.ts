// The tokens of a JSON text, for its colours. Any text is taken: one that is not JSON has fewer tokens.

export type JsonToken = {
  readonly at: number;
  readonly text: string;
  readonly kind: 'name' | 'text' | 'number' | 'word' | 'other';
};

const coloured = /"(?:[^"\\]|\\.)*"?(?=(\s*:)?)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/gs;
/** Each token is an element of the page: more of them would make it slow. */
const maxColoured = 16_000;

/** The texts of the tokens together are the text. */
export function tokenize(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of text.slice(0, maxColoured).matchAll(coloured)) {
    const [found] = match;
    if (match.index > end) tokens.push({ at: end, text: text.slice(end, match.index), kind: 'other' });
    tokens.push({ at: match.index, text: found, kind: kindOf(found, match[1] !== undefined) });
    end = match.index + found.length;
  }
  if (end < text.length) tokens.push({ at: end, text: text.slice(end), kind: 'other' });
  return tokens;
}

function kindOf(found: string, isName: boolean): JsonToken['kind'] {
  if (found.startsWith('"')) return isName ? 'name' : 'text';
  return /^[tfn]/.test(found) ? 'word' : 'number';
}

// Reads JSON text in linear time. What it finds in other text means nothing.

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const opens = (code: number) => code === openBrace || code === openBracket;
const closes = (code: number) => code === closeBrace || code === closeBracket;
const isWhitespace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** `depth`: levels of nesting. `escapedName`: the name of a member has an escape. */
export function measure(text: string) {
  const measures = { depth: 0, members: 0, values: 1, escapedName: false };
  let depth = 0;
  let escaped = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      escaped = false;
      for (at++; at < text.length; at++) {
        const inside = text.charCodeAt(at);
        if (inside === quote) break;
        if (inside === backslash) {
          escaped = true;
          at++;
        }
      }
    } else if (code === colon) {
      measures.members++;
      measures.escapedName ||= escaped;
    } else if (code === comma) {
      measures.values++;
    } else if (opens(code)) {
      measures.values++;
      measures.depth = Math.max(measures.depth, ++depth);
    } else if (closes(code)) {
      depth--;
    }
  }
  return measures;
}

/** The name of the first member that an object repeats. Slower than `measure`. */
export function findRepeatedMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (opens(code)) open.push(new Set());
    else if (closes(code)) open.pop();
    else if (code === quote) {
      const end = endOfString(text, at);
      if (text.charCodeAt(skipWhitespace(text, end + 1)) === colon) {
        const name = readString(text, at, end);
        const names = open.at(-1);
        if (names?.has(name)) return name;
        names?.add(name);
      }
      at = end;
    }
  }
  return undefined;
}

/** The values of a member in each object at this level (1: outermost), without insignificant whitespace. */
export function valuesOfMember(text: string, member: string, level: number): string[] {
  const found: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (opens(code)) depth++;
    else if (closes(code)) depth--;
    else if (code === quote) {
      const start = at;
      at = endOfString(text, start);
      if (depth !== level) continue;
      const next = skipWhitespace(text, at + 1);
      if (text.charCodeAt(next) !== colon || readString(text, start, at) !== member) continue;
      const value = compactValue(text, next + 1);
      found.push(value.text);
      at = value.end - 1;
    }
  }
  return found;
}

function compactValue(text: string, from: number): { text: string; end: number } {
  let start = skipWhitespace(text, from);
  let compact = '';
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (opens(code)) depth++;
    else if (depth === 0 && (code === comma || closes(code))) break;
    else if (closes(code)) depth--;
    else if (isWhitespace(code)) {
      compact += text.slice(start, at);
      start = skipWhitespace(text, at);
      at = start - 1;
    }
  }
  return { text: compact + text.slice(start, at), end: at };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}

function readString(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end);
  return content.includes('\\') ? JSON.parse(`"${content}"`) : content;
}

function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (isWhitespace(text.charCodeAt(at))) at++;
  return at;
}

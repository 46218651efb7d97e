// A captured request from text: as it is in HTTP, as `curl --verbose` prints it, or as a curl command.

export type Parsed = {
  readonly method: string;
  /** Null: the text does not say where the request went. */
  readonly url: string | null;
  readonly headers: readonly [name: string, value: string][];
  readonly body: string;
};

/** @throws Error with what is missing, for the person who pasted it */
export function parseCaptured(text: string): Parsed {
  const trimmed = text.replaceAll('\r\n', '\n').replace(/^\s+/, '');
  if (trimmed === '')
    throw new Error('Paste the request: its first line, its headers, an empty line, and its body.');
  return /^(curl|printf) /.test(trimmed) ? parseCommand(trimmed) : parseHttp(trimmed);
}

function parseHttp(text: string): Parsed {
  const lines = fromVerbose(text.split('\n'));
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(lines[0]?.trim() ?? '') ?? [];
  if (method === undefined || target === undefined)
    throw new Error(
      'The first line must be like POST /concord HTTP/1.1, or the text must be a curl command.',
    );
  const end = lines.indexOf('', 1);
  const head = lines.slice(1, end === -1 ? undefined : end);
  const headers = head.map((line): [string, string] => {
    const colon = line.indexOf(':');
    if (colon < 1)
      throw new Error(`This line is no header: ${line}. A header is like Webhook-Id: evt_…, on one line.`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const body = end === -1 ? '' : lines.slice(end + 1).join('\n');
  return { method, url: urlOf(target, headers), headers, body: cutToLength(body, headers) };
}

/** `> POST / HTTP/1.1` was sent, `< HTTP/1.1 204` came back, and `* ...` is what curl did. */
function fromVerbose(lines: string[]): string[] {
  if (!lines.some((line) => line.startsWith('> '))) return lines;
  return lines.filter((line) => !/^[<*]/.test(line)).map((line) => line.replace(/^> ?/, ''));
}

/** The scheme is not in the text. Webhooks go to https. */
function urlOf(target: string, headers: Parsed['headers']): string | null {
  if (/^https?:\/\//.test(target)) return target;
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  return host === undefined ? null : `https://${host}${target}`;
}

/** Whoever copies a text often copies a line break at its end. The length says where the body ends. */
function cutToLength(body: string, headers: Parsed['headers']): string {
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]);
  const bytes = new TextEncoder().encode(body);
  if (length > 0) {
    if (bytes.length <= length || /\S/.test(new TextDecoder().decode(bytes.slice(length)))) return body;
    return new TextDecoder().decode(bytes.slice(0, length));
  }
  return body.replace(/\n+$/, '');
}

function parseCommand(text: string): Parsed {
  const words = toWords(text);
  const printed = words[0] === 'printf' ? fromFormat(words[1] ?? '') : '';
  words.splice(0, words.indexOf('curl') + 1);
  const headers: [string, string][] = [];
  let method = '';
  let url: string | null = null;
  let body = '';
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '-H' || word === '--header') {
      const [name = '', ...value] = (words.shift() ?? '').split(':');
      headers.push([name.trim(), value.join(':').trim()]);
    } else if (word === '-X' || word === '--request') method = words.shift() ?? '';
    else if (/^(-d|--data(-raw|-binary)?|--json)$/.test(word)) body = words.shift() ?? '';
    else if (word === '--url') url = words.shift() ?? null;
    else if (!word.startsWith('-')) url = word;
  }
  if (body === '@-') body = printed;
  return { method: method || (body === '' ? 'GET' : 'POST'), url, headers, body };
}

/** What printf prints for a format without conversions. */
function fromFormat(format: string): string {
  const bytes: number[] = [];
  for (const [part, octal] of format.matchAll(/\\([0-7]{1,3})|\\\\|%%|./gsu)) {
    if (octal === undefined)
      bytes.push(...new TextEncoder().encode(part.length === 2 && /^[\\%]/.test(part) ? part[0] : part));
    else bytes.push(Number.parseInt(octal, 8));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** The words of a POSIX shell: quotes and backslashes, without variables. */
function toWords(text: string): string[] {
  const words: string[] = [];
  const part = /\s+|\\\n|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)/gsy;
  let word: string | null = null;
  for (const [whole, single, double, escaped, plain] of text.matchAll(part)) {
    if (whole === '\\\n' || /^\s+$/.test(whole)) {
      if (word !== null) words.push(word);
      word = null;
    } else
      word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '');
  }
  return word === null ? words : [...words, word];
}

/** When the request was signed, in milliseconds. Null: the text does not say. */
export function signedAt({ headers }: Parsed): number | null {
  const input = headers.find(([name]) => name.toLowerCase() === 'signature-input')?.[1] ?? '';
  const created = /;created=(\d{1,12})/.exec(input)?.[1];
  return created === undefined ? null : Number(created) * 1_000;
}

export function environmentOf({ body }: Parsed): 'live' | 'sandbox' {
  return /"environment"\s*:\s*"sandbox"/.test(body) ? 'sandbox' : 'live';
}

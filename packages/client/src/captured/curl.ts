// Reads a curl command line. Nothing of it is run, and no file that it names is read.

/** An HTTP request. */
export type Message = {
  readonly method: string;
  /** Null: the text does not say where the request went. */
  readonly url: string | null;
  readonly headers: [name: string, value: string][];
  readonly body: Uint8Array<ArrayBuffer>;
};

/** Options with a value that is not of the request. */
const withValue =
  /^(-[AbBcCeEFmoPrTuUwxyYzK]|--(user-agent|cookie|max-time|output|proxy|user|connect-timeout|cacert|resolve))$/;

/** @throws TypeError when the body is in a file */
export function parseCommand(text: string): Message {
  // `-XPOST` is `-X POST`.
  const words = toWords(text).flatMap((word) =>
    /^-[XHd]./s.test(word) ? [word.slice(0, 2), word.slice(2)] : [word],
  );
  const printed = fromFormat(words[0] === 'printf' ? (words[1] ?? '') : '');
  let at = words.indexOf('curl') + 1;
  const next = () => words[at++] ?? '';
  const headers: [string, string][] = [];
  let method = '';
  let url: string | null = null;
  let data = '';
  while (at < words.length) {
    const word = next();
    if (word === '-H' || word === '--header') {
      const [name = '', ...value] = next().split(':');
      headers.push([name.trim(), value.join(':').trim()]);
    } else if (word === '-X' || word === '--request') method = next();
    else if (/^(-d|--data(-raw|-binary|-ascii)?|--json)$/.test(word)) data = next();
    else if (withValue.test(word)) next();
    else if (!word.startsWith('-')) url = word;
  }
  // A webhook is JSON, which begins with another character.
  if (/^@[^-]/.test(data))
    throw new TypeError(`The file ${data.slice(1)} is not read: put its content into the command`);
  const body = data === '@-' ? printed : new TextEncoder().encode(data);
  return { method: method || (body.length === 0 ? 'GET' : 'POST'), url, headers, body };
}

/** What printf prints for a format without conversions. */
function fromFormat(format: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const [part, octal] of format.matchAll(/\\([0-7]{1,3})|\\\\|%%|./gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(/^[\\%]./s.test(part) ? part[0] : part));
  }
  return Uint8Array.from(bytes);
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

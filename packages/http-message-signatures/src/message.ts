// Messages: plain data, in a shape that a fetch Request or Response also has.
import { SignatureError } from './errors.ts';

/**
 * Header or trailer fields: pairs in the order of the message, a fetch `Headers`, or an object. In an object,
 * an array holds the lines of a field. Names may have any case. In values, one character is one byte
 * (latin1).
 */
export type Fields =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type RequestMessage = {
  readonly method: string;
  /** The absolute target URI that the client used. Behind a proxy, the server may see another one. */
  readonly url: string | URL;
  readonly headers: Fields;
  readonly trailers?: Fields | undefined;
  /**
   * The value of `@request-target`; path and query of `url` by default. Set it for `*`, `host:port` and
   * absolute targets (RFC 9421, section 2.2.5).
   */
  readonly requestTarget?: string | undefined;
};

export type ResponseMessage = {
  readonly status: number;
  readonly headers: Fields;
  readonly trailers?: Fields | undefined;
  /** The request that this response answers. Required when a component has `req`. */
  readonly request?: RequestMessage | undefined;
};

export type Message = RequestMessage | ResponseMessage;

export function isRequest(message: Message): message is RequestMessage {
  return 'method' in message;
}

/** The lines of one field. `combined` is true when a line may be several lines that somebody joined. */
export type FieldLines = { readonly lines: readonly string[]; readonly combined: boolean };

/**
 * Reads the lines of a field, without outer whitespace and line folding (RFC 9421, section 2.1). `name` is in
 * lower case.
 */
export function readLines(fields: Fields | undefined, name: string): FieldLines | undefined {
  const lines: string[] = [];
  let combined = false;
  const add = (key: string, value: string | readonly string[] | undefined, mayBeCombined: boolean) => {
    if (value === undefined || key.toLowerCase() !== name) return;
    if (typeof value === 'string') {
      lines.push(unfold(name, value));
      combined ||= mayBeCombined;
    } else for (const line of value) lines.push(unfold(name, line));
  };
  if (fields && isIterable(fields)) for (const [key, value] of fields) add(key, value, 'get' in fields);
  else for (const [key, value] of Object.entries(fields ?? {})) add(key, value, true);
  return lines.length === 0 ? undefined : { lines, combined };
}

function isIterable(fields: Fields): fields is Iterable<readonly [string, string]> {
  return Symbol.iterator in fields;
}

/**
 * Replaces a line break and the whitespace after it with one space (RFC 9112, section 5.2). Refuses other
 * line breaks.
 */
function unfold(name: string, value: string): string {
  const parts = value.split(/\r\n|\n/);
  for (const fold of parts.slice(1)) {
    if (!/^[\t ]/.test(fold))
      throw new SignatureError('character_invalid', `${name} must not have a line break`);
  }
  return stripWhitespace(parts.map(stripWhitespace).join(' '));
}

/**
 * Strips spaces and tabs. `String.trim` also strips U+00A0, which is a byte here; a regular expression takes
 * quadratic time.
 */
function stripWhitespace(text: string): string {
  const isWhitespace = (index: number) => text[index] === ' ' || text[index] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isWhitespace(start)) start += 1;
  while (end > start && isWhitespace(end - 1)) end -= 1;
  return text.slice(start, end);
}

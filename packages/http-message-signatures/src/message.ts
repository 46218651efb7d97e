// What is signed: a request or a response, as plain data that a fetch Request or Response also fits.
import { SignatureError } from './errors.ts';

/**
 * Header or trailer fields: pairs in the order of the message (also a fetch `Headers`), or an object whose arrays hold the
 * lines of a field. Names are of any case, values one character a byte (latin1).
 */
export type Fields =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request. `url` is the absolute target URI, as the client sees it: behind a proxy that is not what the server sees. */
export type RequestMessage = {
  readonly method: string;
  readonly url: string | URL;
  readonly headers: Fields;
  readonly trailers?: Fields | undefined;
  /** Only for `@request-target`, where it is not path and query: `*`, `host:port`, or absolute (RFC 9421, section 2.2.5). */
  readonly requestTarget?: string | undefined;
};

/** A response, with the request that it answers where components of that are signed (`;req`). */
export type ResponseMessage = {
  readonly status: number;
  readonly headers: Fields;
  readonly trailers?: Fields | undefined;
  readonly request?: RequestMessage | undefined;
};

export type Message = RequestMessage | ResponseMessage;

export function isRequest(message: Message): message is RequestMessage {
  return 'method' in message;
}

/** The lines of one field; `combined` when several lines may have been joined into one of them before we saw it. */
export type FieldLines = { readonly lines: readonly string[]; readonly combined: boolean };

/** The lines of a field in order, outer whitespace stripped and obsolete folding undone (RFC 9421, section 2.1). */
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

/** RFC 9112, section 5.2: a line break with whitespace after it is one space. Any other line break is no field value. */
function unfold(name: string, value: string): string {
  const parts = value.split(/\r\n|\n/);
  for (const fold of parts.slice(1)) {
    if (!/^[\t ]/.test(fold)) throw new SignatureError('character_invalid', `${name} has a line break`);
  }
  return stripWhitespace(parts.map(stripWhitespace).join(' '));
}

/** Spaces and tabs only: String.trim would also take bytes of other encodings. A loop, as a pattern takes quadratic time. */
function stripWhitespace(text: string): string {
  const isWhitespace = (index: number) => text[index] === ' ' || text[index] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isWhitespace(start)) start += 1;
  while (end > start && isWhitespace(end - 1)) end -= 1;
  return text.slice(start, end);
}

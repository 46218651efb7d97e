// A captured request as the text of HTTP, and as a command that sends it.
import type { AttemptWithRequest } from '@concord/client';
import { quote } from '#format/command.ts';

export type HttpRequest = NonNullable<AttemptWithRequest['request']>;

/** The request line and the headers, as they are sent. */
export function toHead({ method, url, headers }: HttpRequest): string {
  const { pathname, search } = new URL(url);
  return [
    `${method} ${pathname}${search} HTTP/1.1`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
  ].join('\n');
}

export const toHttpText = (request: HttpRequest): string => `${toHead(request)}\n\n${request.body}`;

/** curl makes these itself. */
const made = ['host', 'content-length'];

const utf8 = new TextEncoder();
/**
 * A terminal without bracketed paste takes these as keys: DEL would erase the quote, and what follows would
 * run.
 */
const control = /\p{Cc}/gu;
const toOctal = (character: string) =>
  [...utf8.encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** The format with which printf of a POSIX shell prints the text, byte for byte. */
const toFormat = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll(control, toOctal);

/** For a POSIX shell. `--data-binary` keeps each byte of the body. */
export function toCurl({ method, url, headers, body }: HttpRequest): string {
  const sent = headers.filter(({ name }) => !made.includes(name.toLowerCase()));
  const isPrinted = body.search(control) !== -1;
  return [
    ...(isPrinted ? [`printf ${quote(toFormat(body))} |`] : []),
    `curl ${quote(url)} --request ${method}`,
    ...sent.map(({ name, value }) => `  --header ${quote(`${name}: ${value}`)}`),
    `  --data-binary ${isPrinted ? '@-' : quote(body)}`,
  ].join(' \\\n');
}

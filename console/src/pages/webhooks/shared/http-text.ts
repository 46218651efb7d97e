// A captured request as the text of HTTP, and as a command that sends it.
import { quote } from '../../../format/command.ts';

type Header = { readonly name: string; readonly value: string };
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: string;
};

/** The request line and the headers, as they are sent. */
export function toHead({ method, url, headers }: HttpRequest): string {
  const { pathname, search } = new URL(url);
  return [`${method} ${pathname}${search} HTTP/1.1`, ...headers.map(({ name, value }) => `${name}: ${value}`)].join('\n');
}

export const toHttpText = (request: HttpRequest): string => `${toHead(request)}\n\n${request.body}`;

/** curl makes these itself. */
const made = ['host', 'content-length'];

/** For a POSIX shell. `--data-binary` keeps each byte of the body. */
export function toCurl({ method, url, headers, body }: HttpRequest): string {
  const sent = headers.filter(({ name }) => !made.includes(name.toLowerCase()));
  return [
    `curl ${quote(url)} --request ${method}`,
    ...sent.map(({ name, value }) => `  --header ${quote(`${name}: ${value}`)}`),
    `  --data-binary ${quote(body)}`,
  ].join(' \\\n');
}

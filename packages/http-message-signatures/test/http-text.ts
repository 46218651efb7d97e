// Parses messages in the text form of RFC 9421's examples. Uses no code of the package.
import type { RequestMessage, ResponseMessage } from '../src/index.ts';

/** Keeps outer whitespace and line folding of fields: the package removes them. */
export function parseRequest(text: string): RequestMessage {
  const { start, headers } = split(text);
  const [method = '', target = ''] = start.split(' ');
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1].trim();
  return { method, url: `https://${host}${target}`, headers };
}

function parseResponse(text: string, request?: RequestMessage): ResponseMessage {
  const { start, headers } = split(text);
  return { status: Number(start.split(' ')[1]), headers, request };
}

export const parseMessage = (text: string, request?: string): RequestMessage | ResponseMessage =>
  text.startsWith('HTTP/')
    ? parseResponse(text, request ? parseRequest(request) : undefined)
    : parseRequest(text);

function split(text: string): { start: string; headers: [string, string][] } {
  const [head = ''] = text.split('\n\n');
  const [start = '', ...lines] = head.replaceAll(/\n(?=[ \t])/g, '\r\n').split(/(?<!\r)\n/);
  return {
    start,
    headers: lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  };
}

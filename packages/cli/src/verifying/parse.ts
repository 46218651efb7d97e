// A captured request from a file: JSON of an attempt, a curl command line, or HTTP as text.
import { CliError } from '../exits.ts';
import type { Captured } from './captured.ts';
import { parseCommand } from './curl.ts';

/** Programs on Windows write a byte order mark. @throws CliError with what is missing */
export function parseCaptured(file: Buffer): Captured {
  const bytes = file.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? file.subarray(3) : file;
  const text = bytes.toString('utf8').trimStart();
  if (text === '') throw new CliError('usage', 'The file is empty. It must have a request');
  if (text.startsWith('{')) return parseJson(text);
  if (/^(curl|printf)\s/.test(text)) return parseCommand(text.replaceAll('\r\n', '\n'));
  return parseHttp(bytes);
}

/** An answer of `.../attempts/{number}`, a request of the sandbox receiver, or a request of that form. */
function parseJson(text: string): Captured {
  const outer = readObject(text);
  const inner = 'request' in outer ? outer.request : outer;
  if (inner === null) throw new CliError('usage', 'This attempt has no request: none was sent');
  if (!isObject(inner) || typeof inner.body !== 'string' || typeof inner.url !== 'string')
    throw new CliError('usage', 'The JSON must be an attempt, or have url, headers and body');
  const { url, body, method, body_encoding: encoding } = inner;
  return {
    method: typeof method === 'string' ? method : 'POST',
    url,
    headers: readHeaders(inner.headers),
    body: Buffer.from(body, encoding === 'base64' ? 'base64' : 'utf8'),
  };
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new CliError('usage', `The file is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new CliError('usage', 'The JSON must be an object');
}

function readHeaders(headers: unknown): [string, string][] {
  const entries: unknown[] = Array.isArray(headers)
    ? headers.map((line) => (isObject(line) ? [line.name, line.value] : line))
    : isObject(headers)
      ? Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
      : [];
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string');
  if (entries.length === 0 || !entries.every(isPair))
    throw new CliError('usage', 'headers must be an array of {name, value}, or an object');
  return entries;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each character of `latin1` is a byte, so the body keeps its bytes. */
function parseHttp(bytes: Buffer): Captured {
  const lines = bytes.toString('latin1').replace(/^\s+/, '').split('\n');
  const sent = lines.some((line) => line.startsWith('> ')) ? fromVerbose(lines) : lines;
  const end = sent.findIndex((line) => line === '' || line === '\r');
  const [first = '', ...fields] = sent
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.replace(/\r$/, ''));
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(first) ?? [];
  if (method === undefined || target === undefined)
    throw new CliError(
      'usage',
      'The first line must be like POST /concord HTTP/1.1, or the text JSON or a curl command',
    );
  const headers = fields.map((line): [string, string] => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new CliError('usage', `This line is no header: ${line}. A header is on one line`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const body = end === -1 ? '' : sent.slice(end + 1).join('\n');
  return {
    method,
    url: urlOf(target, headers),
    headers,
    body: cutToLength(Buffer.from(body, 'latin1'), headers),
  };
}

/** `curl --verbose`: `> ` was sent, `< ` came back, `* ` is what curl did. */
const fromVerbose = (lines: string[]): string[] =>
  lines.filter((line) => !/^[<*]/.test(line)).map((line) => line.replace(/^> ?/, ''));

/** The scheme is not in the text. Webhooks go to https. */
function urlOf(target: string, headers: Captured['headers']): string | null {
  if (/^https?:\/\//.test(target)) return target;
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  return host === undefined ? null : `https://${host}${target}`;
}

/** A copied text often has a line break more. The length says where the body ends. */
function cutToLength(body: Buffer, headers: Captured['headers']): Buffer {
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]);
  const rest = (from: number) => body.subarray(from).toString('latin1');
  if (length > 0) return /^\s*$/.test(rest(length)) ? body.subarray(0, length) : body;
  const end = rest(0).replace(/[\r\n]+$/, '').length;
  return body.subarray(0, end);
}

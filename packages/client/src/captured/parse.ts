// A webhook that somebody captured: JSON of an attempt, a curl command line, or HTTP as text.
import { type Message, parseCommand } from './curl.ts';

export type CapturedWebhook = Message & {
  /** Of its event. */
  readonly environment: 'live' | 'sandbox';
  /** In milliseconds since 1970. Null: the request does not say. */
  readonly signedAt: number | null;
};

/**
 * Reads a webhook for `verifyCapturedWebhook`. `file`: the JSON of an attempt, a curl command line, or HTTP as
 * text, also as `curl --verbose` prints it.
 * @throws TypeError with what is missing
 */
export function parseCapturedWebhook(file: Uint8Array): CapturedWebhook {
  const message = parseMessage(file);
  const { headers, body } = message;
  // The event's own member comes before its data, which can have such a member too.
  const [, environment] = /"environment"\s*:\s*"(\w+)"/.exec(fromBytes(body)) ?? [];
  const [, created] = /;created=(\d{1,12})/.exec(find(headers, 'signature-input') ?? '') ?? [];
  return {
    ...message,
    environment: environment === 'sandbox' ? 'sandbox' : 'live',
    signedAt: created === undefined ? null : Number(created) * 1_000,
  };
}

function parseMessage(file: Uint8Array): Message {
  // A byte order mark, which programs on Windows write, is not part of the text.
  const text = new TextDecoder().decode(file).trimStart();
  if (text === '')
    throw new TypeError('There is no request. It has a first line, headers, an empty line, and a body');
  if (text.startsWith('{')) return parseJson(text);
  if (/^(curl|printf)\s/.test(text)) return parseCommand(text.replaceAll('\r\n', '\n'));
  return parseHttp(fromBytes(file).replace(/^\xef\xbb\xbf/, ''));
}

/** An answer of `.../attempts/{number}`, a request of the sandbox receiver, or a request of that form. */
function parseJson(text: string): Message {
  const outer = readObject(text);
  const inner = 'request' in outer ? outer.request : outer;
  if (inner === null) throw new TypeError('This attempt has no request: none was sent');
  if (!isObject(inner) || typeof inner.body !== 'string' || typeof inner.url !== 'string')
    throw new TypeError('The JSON must be an attempt, or have url, headers and body');
  const { url, body, method, body_encoding: encoding } = inner;
  return {
    method: typeof method === 'string' ? method : 'POST',
    url,
    headers: readHeaders(inner.headers),
    body: encoding === 'base64' ? readBase64(body) : new TextEncoder().encode(body),
  };
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new TypeError(`This is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new TypeError('The JSON must be an object');
}

function readBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return toBytes(atob(text));
  } catch (cause) {
    throw new TypeError('The body is not base64', { cause });
  }
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
    throw new TypeError('headers must be an array of {name, value}, or an object');
  return entries;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each character of the text is a byte, so the body keeps its bytes. */
function parseHttp(text: string): Message {
  const lines = text.trimStart().split('\n');
  const sent = lines.some((line) => line.startsWith('> ')) ? fromVerbose(lines) : lines;
  const end = sent.findIndex((line) => line === '' || line === '\r');
  const [first = '', ...fields] = sent
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.replace(/\r$/, ''));
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(first.trimEnd()) ?? [];
  if (method === undefined || target === undefined)
    throw new TypeError(
      'The first line must be like POST /concord HTTP/1.1, or the text JSON or a curl command',
    );
  const headers = fields.map((line): [string, string] => {
    const colon = line.indexOf(':');
    if (colon < 1)
      throw new TypeError(`This line is no header: ${line}. A header is like Webhook-Id: evt_…, on one line`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const body = end === -1 ? '' : sent.slice(end + 1).join('\n');
  return { method, url: urlOf(target, headers), headers, body: toBytes(cutToLength(body, headers)) };
}

/** `curl --verbose`: `> ` was sent, `< ` came back, `* ` is what curl did. */
const fromVerbose = (lines: string[]): string[] =>
  lines.filter((line) => !/^[<*]/.test(line)).map((line) => line.replace(/^> ?/, ''));

/** The scheme is not in the text. Webhooks go to https. */
function urlOf(target: string, headers: Message['headers']): string | null {
  if (/^https?:\/\//.test(target)) return target;
  const host = find(headers, 'host');
  return host === undefined ? null : `https://${host}${target}`;
}

/** A copied text often has a line break more. The length says where the body ends. */
function cutToLength(body: string, headers: Message['headers']): string {
  const length = Number(find(headers, 'content-length'));
  if (length > 0) return /^\s*$/.test(body.slice(length)) ? body.slice(0, length) : body;
  // Only the first line break of some begins a match: with each, many would take quadratic time.
  return body.replace(/(?<![\r\n])[\r\n]+$/, '');
}

const find = (headers: Message['headers'], name: string) =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** A character for each byte. */
const fromBytes = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

// The values of derived components: what a message says outside of its fields (RFC 9421, section 2.2).
import type { ComponentIdentifier } from './components.ts';
import { SignatureError } from './errors.ts';
import { isRequest, type Message, type RequestMessage } from './message.ts';

const maxUrlLength = 65_536;

export function deriveComponent(message: Message, { name, parameters }: ComponentIdentifier): string {
  if (name === '@status') {
    if (isRequest(message)) throw new SignatureError('component_invalid', 'A request has no @status');
    return readStatus(message.status);
  }
  const derive = deriveFromRequest.get(name);
  if (!derive) throw new SignatureError('unsupported', `The derived component ${name} is unknown`);
  if (!isRequest(message)) throw new SignatureError('component_invalid', `A response has no ${name}; its request has, with req`);
  return derive(message, parameters.get('name'));
}

const deriveFromRequest: ReadonlyMap<string, (request: RequestMessage, parameter: unknown) => string> = new Map([
  ['@method', readMethod],
  ['@target-uri', readTargetUri],
  ['@authority', (request) => readTarget(request).authority],
  ['@scheme', (request) => readTarget(request).scheme],
  ['@request-target', readRequestTarget],
  ['@path', (request) => readTarget(request).path],
  // An absent query is a lone question mark (RFC 9421, section 2.2.7).
  ['@query', (request) => readTarget(request).query || '?'],
  ['@query-param', readQueryParameter],
]);

function readMethod({ method }: RequestMessage): string {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) throw new SignatureError('message_invalid', 'The method is no token');
  return method;
}

function readTargetUri(request: RequestMessage): string {
  const { scheme, authority, path, query } = readTarget(request);
  return `${scheme}://${authority}${path}${query}`;
}

function readStatus(status: number): string {
  if (!Number.isInteger(status) || status < 100 || status > 999)
    throw new SignatureError('message_invalid', 'The status is none');
  return String(status);
}

type Target = { scheme: string; authority: string; path: string; query: string };

/**
 * The parts as they were written: a URL parser would resolve dots and encode characters, and the other side may not. Only
 * what RFC 9110, section 4.2.3 calls equivalent is normalised: case of scheme and host, default port, empty path.
 */
function readTarget({ url }: RequestMessage): Target {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::(\d*))?(\/[^?#]*)?(\?[^#]*)?$/i.exec(
    assertVisible('target URI', String(url)),
  );
  const [, writtenScheme, host, port = '', path = '/', query = ''] = parts ?? [];
  if (writtenScheme === undefined || host === undefined) {
    throw new SignatureError('message_invalid', 'The target URI is not absolute, or has user information or a fragment');
  }
  const scheme = writtenScheme.toLowerCase();
  const isDefault = port === '' || (scheme === 'https' && port === '443') || (scheme === 'http' && port === '80');
  return { scheme, authority: host.toLowerCase() + (isDefault ? '' : `:${port}`), path, query };
}

function assertVisible(name: string, text: string): string {
  if (text.length > maxUrlLength) throw new SignatureError('too_large', `The ${name} is too long`);
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new SignatureError('message_invalid', `The ${name} has a character that is not allowed`);
  return text;
}

function readRequestTarget(request: RequestMessage): string {
  if (request.requestTarget !== undefined) return assertVisible('request target', request.requestTarget);
  if (request.method === 'CONNECT') throw new SignatureError('component_missing', 'CONNECT needs requestTarget to be told');
  const { path, query } = readTarget(request);
  return path + query;
}

function readQueryParameter(request: RequestMessage, name: unknown): string {
  if (typeof name !== 'string') throw new SignatureError('component_invalid', '@query-param needs a name');
  const values: string[] = [];
  for (const [key, value] of new URLSearchParams(readTarget(request).query)) {
    if (encodeFormPart(key) === name) values.push(value);
  }
  const [value] = values;
  if (value === undefined) throw new SignatureError('component_missing', `The query has no ${name}`);
  if (values.length > 1) throw new SignatureError('component_invalid', `The query has ${name} more than once`);
  // What is no UTF-8 was read as U+FFFD, so that different queries would have one signature base.
  if (`${name}${encodeFormPart(value)}`.includes('%EF%BF%BD')) throw new SignatureError('unsupported', `${name} is not in UTF-8`);
  return encodeFormPart(value);
}

/** "Percent-encode after encoding" with the set of application/x-www-form-urlencoded (RFC 9421, section 2.2.8). */
function encodeFormPart(text: string): string {
  return encodeURIComponent(text).replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

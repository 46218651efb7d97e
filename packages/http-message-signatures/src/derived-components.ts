// The values of derived components: the parts of a message outside its fields (RFC 9421, section 2.2).
import type { ComponentIdentifier } from './components.ts';
import { SignatureError } from './errors.ts';
import { isRequest, type Message, type RequestMessage } from './message.ts';

const maxUrlLength = 65_536;

export function deriveComponent(message: Message, { name, parameters }: ComponentIdentifier): string {
  if (name === '@status') {
    if (isRequest(message))
      throw new SignatureError('component_invalid', '@status must not be covered in a request');
    return readStatus(message.status);
  }
  const derive = deriveFromRequest.get(name);
  if (!derive) throw new SignatureError('unsupported', `Unknown derived component ${name}`);
  if (!isRequest(message))
    throw new SignatureError(
      'component_invalid',
      `A response has no ${name}: add req to take it from the request`,
    );
  return derive(message, parameters.get('name'));
}

const deriveFromRequest: ReadonlyMap<string, (request: RequestMessage, parameter: unknown) => string> =
  new Map([
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
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method))
    throw new SignatureError('message_invalid', 'The method must be a token');
  return method;
}

function readTargetUri(request: RequestMessage): string {
  const { scheme, authority, path, query } = readTarget(request);
  return `${scheme}://${authority}${path}${query}`;
}

function readStatus(status: number): string {
  if (!Number.isInteger(status) || status < 100 || status > 999)
    throw new SignatureError('message_invalid', 'The status must be an integer between 100 and 999');
  return String(status);
}

type Target = { scheme: string; authority: string; path: string; query: string };

/**
 * Splits the URL without a URL parser: a parser resolves dots and encodes characters, and the other side may
 * not. Normalizes only what RFC 9110, section 4.2.3 calls equivalent: case of scheme and host, default port,
 * empty path.
 */
function readTarget({ url }: RequestMessage): Target {
  const parts =
    /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::(\d*))?(\/[^?#]*)?(\?[^#]*)?$/i.exec(
      assertVisible('target URI', String(url)),
    );
  const [, writtenScheme, host, port = '', path = '/', query = ''] = parts ?? [];
  if (writtenScheme === undefined || host === undefined) {
    throw new SignatureError(
      'message_invalid',
      'The target URI must be absolute, without user information or fragment',
    );
  }
  const scheme = writtenScheme.toLowerCase();
  const isDefault =
    port === '' || (scheme === 'https' && port === '443') || (scheme === 'http' && port === '80');
  return { scheme, authority: host.toLowerCase() + (isDefault ? '' : `:${port}`), path, query };
}

function assertVisible(name: string, text: string): string {
  if (text.length > maxUrlLength)
    throw new SignatureError('too_large', `The ${name} must have at most ${maxUrlLength} characters`);
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new SignatureError('message_invalid', `The ${name} must be visible ASCII characters`);
  return text;
}

function readRequestTarget(request: RequestMessage): string {
  if (request.requestTarget !== undefined) return assertVisible('request target', request.requestTarget);
  if (request.method === 'CONNECT')
    throw new SignatureError('component_missing', 'A CONNECT message must have requestTarget');
  const { path, query } = readTarget(request);
  return path + query;
}

function readQueryParameter(request: RequestMessage, name: unknown): string {
  if (typeof name !== 'string')
    throw new SignatureError('component_invalid', '@query-param must have the parameter name');
  const values: string[] = [];
  for (const [key, value] of new URLSearchParams(readTarget(request).query)) {
    if (encodeFormPart(key) === name) values.push(value);
  }
  const [value] = values;
  if (value === undefined)
    throw new SignatureError('component_missing', `The query has no parameter ${name}`);
  if (values.length > 1)
    throw new SignatureError('component_invalid', `The query has the parameter ${name} more than once`);
  // Invalid UTF-8 is read as U+FFFD, so different queries would have the same signature base.
  if (`${name}${encodeFormPart(value)}`.includes('%EF%BF%BD'))
    throw new SignatureError('unsupported', `The query parameter ${name} must be UTF-8`);
  return encodeFormPart(value);
}

/**
 * The URL standard's "percent-encode after encoding" with the application/x-www-form-urlencoded set (RFC
 * 9421, section 2.2.8).
 */
function encodeFormPart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

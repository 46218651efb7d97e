// The component values of RFC 9421, section 2: its examples, and messages whose value would be a guess.
import { describe, expect, it } from 'vitest';
import {
  type ComponentIdentifier,
  component,
  createSignatureBase,
  type Fields,
  type Message,
} from '../src/index.ts';
import { codeOf } from './code-of.ts';
import { parseMessage, parseRequest } from './http-text.ts';

const fieldTypes = { 'example-dict': 'dictionary', 'example-list': 'list', 'example-item': 'item' } as const;

/** The line of one component in a signature base. */
function line(message: Message, identifier: string | ComponentIdentifier): string {
  return createSignatureBase(message, { components: [identifier], parameters: {}, fieldTypes }).split(
    '\n',
  )[0]!;
}
const code = (message: Message, identifier: string | ComponentIdentifier) =>
  codeOf(() => line(message, identifier));
const withFields = (headers: Fields): Message => ({
  method: 'GET',
  url: 'https://www.example.com/',
  headers,
});

describe('fields (2.1)', () => {
  const message = parseRequest(`GET / HTTP/1.1
Host: www.example.com
Date: Tue, 20 Apr 2021 02:07:56 GMT
X-OWS-Header:   Leading and trailing whitespace.   
X-Obs-Fold-Header: Obsolete
    line folding.
Cache-Control: max-age=60
Cache-Control:    must-revalidate
Example-Dict:  a=1,    b=2;x=1;y=2,   c=(a   b   c)
X-Empty-Header: `);

  it.each([
    '"host": www.example.com',
    '"date": Tue, 20 Apr 2021 02:07:56 GMT',
    '"x-ows-header": Leading and trailing whitespace.',
    '"x-obs-fold-header": Obsolete line folding.',
    '"cache-control": max-age=60, must-revalidate',
    '"example-dict": a=1,    b=2;x=1;y=2,   c=(a   b   c)',
    '"x-empty-header": ',
  ])('%s', (expected) => {
    expect(line(message, /"(.*)":/.exec(expected)![1]!)).toBe(expected);
  });

  it('sf serializes strictly (2.1.1)', () => {
    expect(line(message, component('example-dict', { sf: true }))).toBe(
      '"example-dict";sf: a=1, b=2;x=1;y=2, c=(a b c)',
    );
  });

  it('objects of arrays, objects of strings and Headers give the same value as pairs', () => {
    const expected = '"cache-control": max-age=60, must-revalidate';
    for (const headers of [
      { 'Cache-Control': ['max-age=60', ' must-revalidate\t'] },
      { 'cache-control': 'max-age=60, must-revalidate', absent: undefined },
      new Headers([
        ['Cache-Control', 'max-age=60'],
        ['cache-control', 'must-revalidate'],
      ]),
    ]) {
      expect(line(withFields(headers), 'cache-control')).toBe(expected);
    }
  });
});

describe('dictionary members (2.1.2)', () => {
  const message = withFields([['Example-Dict', ' a=1, b=2;x=1;y=2, c=(a   b    c), d']]);

  it.each([
    ['a', '1'],
    ['d', '?1'],
    ['b', '2;x=1;y=2'],
    ['c', '(a b c)'],
  ])('key %s is %s', (key, value) => {
    expect(line(message, component('example-dict', { key }))).toBe(`"example-dict";key="${key}": ${value}`);
  });

  it('refuses missing members, fields of other types and malformed fields', () => {
    expect(code(message, component('example-dict', { key: 'e' }))).toBe('component_missing');
    expect(code(withFields([['Example-List', '1']]), component('example-list', { key: 'a' }))).toBe(
      'component_invalid',
    );
    expect(code(withFields([['X-Unknown', 'a=1']]), component('x-unknown', { key: 'a' }))).toBe(
      'unsupported',
    );
    expect(code(withFields([['X-Unknown', 'a=1']]), component('x-unknown', { sf: true }))).toBe(
      'unsupported',
    );
    expect(code(withFields([['Constructor', 'a=1']]), component('constructor', { sf: true }))).toBe(
      'unsupported',
    );
    expect(code(withFields([['Example-Dict', 'a=']]), component('example-dict', { sf: true }))).toBe(
      'field_malformed',
    );
  });
});

describe('byte sequences (2.1.3)', () => {
  const twice: [string, string][] = [
    ['Example-Header', 'value, with, lots'],
    ['Example-Header', 'of, commas'],
  ];

  it('wraps each line', () => {
    const bs = component('example-header', { bs: true });
    const wrapped = '"example-header";bs: :dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:';
    expect(line(withFields(twice), bs)).toBe(wrapped);
    expect(line(withFields({ 'example-header': twice.map(([, value]) => value) }), bs)).toBe(wrapped);
    expect(line(withFields([['Example-Header', 'value, with, lots, of, commas']]), bs)).toBe(
      '"example-header";bs: :dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:',
    );
  });

  it('refuses lines that may have been joined', () => {
    const bs = component('example-header', { bs: true });
    expect(code(withFields(new Headers(twice)), bs)).toBe('unsupported');
    expect(code(withFields({ 'example-header': 'a, b' }), bs)).toBe('unsupported');
    expect(code(withFields({ 'example-header': 'a, b', 'Example-Header': 'c' }), bs)).toBe('unsupported');
    expect(code(withFields(new Headers([['Example-Header', 'one']])), bs)).toBe(
      '"example-header";bs: :b25l:',
    );
  });

  it('wraps non-ASCII bytes, which are refused without bs', () => {
    const message = withFields([['X-Latin', '\u00a0caf\u00e9']]);
    expect(line(message, component('x-latin', { bs: true }))).toBe('"x-latin";bs: :oGNhZuk=:');
    expect(code(message, 'x-latin')).toBe('character_invalid');
    for (const wrong of ['\u20ac', 'a\u007f'])
      expect(code(withFields([['X-Wrong', wrong]]), component('x-wrong', { bs: true }))).toBe(
        'character_invalid',
      );
  });
});

it('tr takes a field from the trailers, not from the headers (2.1.4)', () => {
  const date = 'Wed, 9 Nov 2022 07:28:00 GMT';
  const message = {
    status: 200,
    headers: { Trailer: 'Expires', expires: 'header' },
    trailers: { Expires: date },
  };
  const components = ['@status', 'trailer', component('expires', { tr: true })];
  expect(createSignatureBase(message, { components, parameters: {} })).toBe(
    `"@status": 200\n"trailer": Expires\n"expires";tr: ${date}\n"@signature-params": ("@status" "trailer" "expires";tr)`,
  );
  expect(line(message, 'expires')).toBe('"expires": header');
  expect(code({ status: 200, headers: { expires: 'header' } }, component('expires', { tr: true }))).toBe(
    'component_missing',
  );
});

it('a structured field can differ in headers, trailers and the request', () => {
  const message: Message = {
    status: 200,
    headers: { 'Example-Dict': 'a=1' },
    trailers: { 'Example-Dict': 'a=2' },
    request: {
      method: 'GET',
      url: 'https://a/',
      headers: { 'Example-Dict': 'a=3' },
      trailers: { 'Example-Dict': 'a=4' },
    },
  };
  const components = [{}, { tr: true }, { req: true }, { req: true, tr: true }].map((flags) =>
    component('example-dict', { key: 'a', ...(flags as { tr?: true; req?: true }) }),
  );
  const base = createSignatureBase(message, { components, parameters: {}, fieldTypes });
  expect(base.split('\n').map((text) => text.at(-1))).toEqual(['1', '2', '3', '4', ')']);
});

describe('derived components (2.2)', () => {
  const request = parseRequest(
    'GET /path?param=value&foo=bar&baz=batman&qux= HTTP/1.1\nHost: www.example.com',
  );
  const post = { method: 'POST', url: 'https://www.example.com/path?param=value', headers: [] };
  const param = (name: string) => component('@query-param', { name });

  it.each<[expected: string, message: Message, identifier: string | ComponentIdentifier]>([
    ['"@method": POST', post, '@method'],
    ['"@target-uri": https://www.example.com/path?param=value', post, '@target-uri'],
    ['"@authority": www.example.com', post, '@authority'],
    ['"@scheme": http', { ...post, url: 'http://www.example.com/path?param=value' }, '@scheme'],
    ['"@request-target": /path?param=value', post, '@request-target'],
    [
      '"@request-target": https://www.example.com/path?param=value',
      { ...post, method: 'GET', requestTarget: 'https://www.example.com/path?param=value' },
      '@request-target',
    ],
    [
      '"@request-target": www.example.com:80',
      { method: 'CONNECT', url: 'http://www.example.com', headers: [], requestTarget: 'www.example.com:80' },
      '@request-target',
    ],
    ['"@request-target": *', { ...post, method: 'OPTIONS', requestTarget: '*' }, '@request-target'],
    ['"@path": /path', post, '@path'],
    [
      '"@query": ?param=value&foo=bar&baz=bat%2Dman',
      { ...post, url: 'https://www.example.com/path?param=value&foo=bar&baz=bat%2Dman' },
      '@query',
    ],
    ['"@query": ?queryString', { ...post, url: 'https://www.example.com/path?queryString' }, '@query'],
    ['"@query": ?', { ...post, url: 'https://www.example.com/path' }, '@query'],
    ['"@query-param";name="baz": batman', request, param('baz')],
    ['"@query-param";name="qux": ', request, param('qux')],
    ['"@query-param";name="param": value', request, param('param')],
    ['"@status": 200', { status: 200, headers: { Date: 'Fri, 26 Mar 2010 00:05:00 GMT' } }, '@status'],
  ])('%s', (expected, message, identifier) => {
    expect(line(message, identifier)).toBe(expected);
  });

  it('refuses CONNECT without requestTarget, an invalid requestTarget or method, and a long URL', () => {
    expect(code({ ...post, method: 'POST /' }, '@method')).toBe('message_invalid');
    const url = `https://a/${'a'.repeat(65_526)}`;
    expect(line({ ...post, url }, '@target-uri')).toBe(`"@target-uri": ${url}`);
    expect(code({ ...post, url: `${url}a` }, '@path')).toBe('too_large');
    expect(code({ ...post, method: 'CONNECT' }, '@request-target')).toBe('component_missing');
    expect(code({ ...post, requestTarget: 'a b' }, '@request-target')).toBe('message_invalid');
  });

  it('normalizes only what HTTP calls equivalent', () => {
    const at = (url: string, name: string) => line({ method: 'GET', url, headers: [] }, name).split(': ')[1];
    expect(at('HTTPS://WWW.Example.com:443', '@target-uri')).toBe('https://www.example.com/');
    expect(at('http://www.example.com:80/a', '@authority')).toBe('www.example.com');
    expect(at('http://www.example.com:443/a', '@authority')).toBe('www.example.com:443');
    expect(at('https://www.example.com:80/a', '@authority')).toBe('www.example.com:80');
    expect(at('http://[::1]:8080/a', '@authority')).toBe('[::1]:8080');
    expect(at('https://www.example.com:/a', '@authority')).toBe('www.example.com');
    expect(at("https://www.example.com/a/../b%2Fc?x='&y=%27", '@target-uri')).toBe(
      "https://www.example.com/a/../b%2Fc?x='&y=%27",
    );
    expect(at('https://www.example.com/path', '@query')).toBe('?');
    expect(at('https://www.example.com?queryString', '@query')).toBe('?queryString');
    expect(at('https://www.example.com?q', '@path')).toBe('/');
  });

  it.each([
    'www.example.com/',
    '/path',
    'https://user@www.example.com/',
    'https://www.example.com/#fragment',
    'https://www.example.com/a b',
    'https://www.example.com/\u00e9',
    'https://www.example.com:1:2/',
    'https:///path',
    '',
  ])('refuses the target URI %j', (url) => {
    expect(code({ method: 'GET', url, headers: [] }, '@target-uri')).toBe('message_invalid');
  });

  it('@query-param is decoded and re-encoded (2.2.8)', () => {
    const at = (query: string, name: string) =>
      code(
        { method: 'GET', url: `https://www.example.com/parameters?${query}`, headers: [] },
        component('@query-param', { name }),
      );
    const query =
      'var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something';
    expect(at(query, 'var')).toBe('"@query-param";name="var": this%20is%20a%20big%0Amultiline%20value');
    expect(at(query, 'bar')).toBe('"@query-param";name="bar": with%20plus%20whitespace');
    expect(at(query, 'fa%C3%A7ade%22%3A%20')).toBe('"@query-param";name="fa%C3%A7ade%22%3A%20": something');
    expect(at("a=!'()~*-._", 'a')).toBe('"@query-param";name="a": %21%27%28%29%7E*-._');
    expect(at('a=1&a=2', 'a')).toBe('component_invalid');
    expect(at('a=1', 'b')).toBe('component_missing');
    expect(at('a=%FF', 'a')).toBe('unsupported');
    expect(code(request, '@query-param')).toBe('component_invalid');
  });

  it('@status is for responses, the others are for requests', () => {
    const response = parseMessage('HTTP/1.1 200 OK\nDate: Fri, 26 Mar 2010 00:05:00 GMT');
    expect(code(request, '@status')).toBe('component_invalid');
    expect(code(response, '@method')).toBe('component_invalid');
    for (const status of [99, 1_000, 200.5])
      expect(code({ status, headers: [] }, '@status')).toBe('message_invalid');
    for (const status of [100, 999])
      expect(line({ status, headers: [] }, '@status')).toBe(`"@status": ${status}`);
  });
});

describe('refuses to cover', () => {
  const request = parseRequest('GET / HTTP/1.1\nHost: www.example.com\nX-A: a=1');
  const response: Message = { status: 200, headers: [['X-A', '1']] };
  const raw = (name: string, parameters: Record<string, unknown>) => component(name, parameters as never);

  it.each([
    ['an unknown derived component', raw('@unknown', {}), 'unsupported'],
    ['an unknown parameter', raw('host', { other: true }), 'unsupported'],
    ['@signature-params', raw('@signature-params', {}), 'component_invalid'],
    ['a name in upper case', raw('Host', {}), 'component_invalid'],
    ['a name with a space', raw('ho st', {}), 'component_invalid'],
    ['bs with sf', raw('x-a', { bs: true, sf: true }), 'component_invalid'],
    ['bs with key', raw('x-a', { bs: true, key: 'a' }), 'component_invalid'],
    ['a derived component with sf', raw('@method', { sf: true }), 'component_invalid'],
    ['a field with name', raw('host', { name: 'a' }), 'component_invalid'],
    ['a flag that is false', raw('host', { sf: false }), 'component_invalid'],
    ['a key that is a flag', raw('host', { key: true }), 'component_invalid'],
    ['a missing field', raw('x-none', {}), 'component_missing'],
    ['req in a request', raw('@method', { req: true }), 'component_invalid'],
    ['a name with a line break', raw('ho\nst', {}), 'component_invalid'],
  ])('%s', (_, identifier, expected) => {
    expect(code(request, identifier)).toBe(expected);
  });

  it('req without a request', () => {
    expect(code(response, component('@method', { req: true }))).toBe('component_missing');
  });

  it('the same identifier twice, with parameters in another order', () => {
    const components = [component('x-a', { sf: true, key: 'a' }), component('x-a', { key: 'a', sf: true })];
    const make = () =>
      createSignatureBase(request, { components, parameters: {}, fieldTypes: { 'x-a': 'dictionary' } });
    expect(make).toThrow(expect.objectContaining({ code: 'component_duplicate' }));
  });
});

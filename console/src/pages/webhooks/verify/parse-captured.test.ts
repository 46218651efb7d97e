import { expect, it } from 'vitest';
import { type HttpRequest, toCurl, toHttpText } from '../shared/http-text.ts';
import { environmentOf, parseCaptured, signedAt } from './parse-captured.ts';

const body = `{"environment":"sandbox","name":"O'Brien \\"x\\" "}`;
const request: HttpRequest = {
  method: 'POST',
  url: 'https://hooks.example.com/concord?a=1',
  headers: [
    { name: 'host', value: 'hooks.example.com' },
    { name: 'webhook-id', value: 'evt_1' },
    { name: 'signature-input', value: 'sig1=("@method");created=1767225600;alg="ecdsa-p384-sha384"' },
    { name: 'content-length', value: String(body.length) },
  ],
  body,
};
const pairs = request.headers.map(({ name, value }) => [name, value]);

it('reads what the console copies as HTTP', () => {
  const parsed = parseCaptured(toHttpText(request));
  expect(parsed).toEqual({ method: 'POST', url: request.url, headers: pairs, body: request.body });
  expect([signedAt(parsed), environmentOf(parsed)]).toEqual([1_767_225_600_000, 'sandbox']);
});

it('reads what the console copies as curl', () => {
  const sent = pairs.filter(([name]) => name !== 'host' && name !== 'content-length');
  expect(parseCaptured(toCurl(request))).toEqual({
    method: 'POST',
    url: request.url,
    headers: sent,
    body: request.body,
  });
});

it('B53: reads what the console copies as curl when printf makes the body', () => {
  const odd = `{"data":"é 😀 \\\\ \\u001b 100% ' ${String.fromCharCode(...Array(0xa0).keys())}"}`;
  expect(parseCaptured(toCurl({ ...request, body: odd })).body).toBe(odd);
});

it.each([
  ['line breaks of Windows, and one after the body', `${toHttpText(request).replaceAll('\n', '\r\n')}\r\n`],
  ['empty lines before it', `\n\n${toHttpText(request)}`],
])('reads a text with %s', (_, text) => {
  expect(parseCaptured(text).body).toBe(request.body);
});

it('reads the request in the output of curl --verbose', () => {
  const text =
    '* Connected\n> POST /a HTTP/1.1\n> Host: hooks.example.com\n> Webhook-Id: evt_1\n> \n* sent\n< HTTP/1.1 204 No Content\n';
  expect(parseCaptured(text)).toMatchObject({
    url: 'https://hooks.example.com/a',
    headers: [
      ['Host', 'hooks.example.com'],
      ['Webhook-Id', 'evt_1'],
    ],
  });
});

it('keeps a body that is longer than its length, since that is what somebody captured', () => {
  expect(parseCaptured('POST / HTTP/1.1\nContent-Length: 2\n\n{} more').body).toBe('{} more');
});

it('reads double quotes and short options of curl', () => {
  expect(parseCaptured('curl -X PUT -H "A: \\"b\\"" -d x\\ y https://a.example')).toEqual({
    method: 'PUT',
    url: 'https://a.example',
    headers: [['A', '"b"']],
    body: 'x y',
  });
});

it.each([
  ['', /^Paste the request/],
  ['hello', /^The first line must be/],
  ['POST / HTTP/1.1\nno header', /^This line is no header: no header/],
])('says what is missing in %j', (text, message) => {
  expect(() => parseCaptured(text)).toThrow(message);
});

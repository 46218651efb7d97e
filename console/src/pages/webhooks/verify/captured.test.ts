import { parseCapturedWebhook } from '@concord/client';
import { expect, it } from 'vitest';
import { type HttpRequest, toCurl, toHttpText } from '../shared/http-text.ts';

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

function parse(text: string) {
  const { environment, signedAt, ...parsed } = parseCapturedWebhook(new TextEncoder().encode(text));
  return [{ ...parsed, body: new TextDecoder().decode(parsed.body) }, signedAt, environment] as const;
}

it('reads what the console copies as HTTP', () => {
  const sent = { method: 'POST', url: request.url, headers: pairs, body: request.body };
  expect(parse(toHttpText(request))).toEqual([sent, 1_767_225_600_000, 'sandbox']);
});

it('reads what the console copies as curl', () => {
  const sent = pairs.filter(([name]) => name !== 'host' && name !== 'content-length');
  expect(parse(toCurl(request))[0]).toEqual({
    method: 'POST',
    url: request.url,
    headers: sent,
    body: request.body,
  });
});

it('B53: reads what the console copies as curl when printf makes the body', () => {
  const odd = `{"data":"é 😀 \\\\ \\u001b 100% ' ${String.fromCharCode(...Array(0xa0).keys())}"}`;
  expect(parse(toCurl({ ...request, body: odd }))[0].body).toBe(odd);
});

it.each([
  ['line breaks of Windows, and one after the body', `${toHttpText(request).replaceAll('\n', '\r\n')}\r\n`],
  ['empty lines before it', `\n\n${toHttpText(request)}`],
])('reads a text with %s', (_, text) => {
  expect(parse(text)[0].body).toBe(request.body);
});

it('reads the request in the output of curl --verbose', () => {
  const text =
    '* Connected\n> POST /a HTTP/1.1\n> Host: hooks.example.com\n> Webhook-Id: evt_1\n> \n* sent\n< HTTP/1.1 204 No Content\n';
  expect(parse(text)[0]).toMatchObject({
    url: 'https://hooks.example.com/a',
    headers: [
      ['Host', 'hooks.example.com'],
      ['Webhook-Id', 'evt_1'],
    ],
  });
});

it('keeps a body that is longer than its length, since that is what somebody captured', () => {
  expect(parse('POST / HTTP/1.1\nContent-Length: 2\n\n{} more')[0].body).toBe('{} more');
});

it('reads double quotes and short options of curl', () => {
  expect(parse('curl -X PUT -H "A: \\"b\\"" -d x\\ y https://a.example')[0]).toEqual({
    method: 'PUT',
    url: 'https://a.example',
    headers: [['A', '"b"']],
    body: 'x y',
  });
});

it('takes no value of an option for the URL', () => {
  expect(parse('curl -X POST https://a.example -A agent -u me:secret -d {}')[0].url).toBe(
    'https://a.example',
  );
});

it('B35: a body keeps its bytes, also those that are no text', () => {
  const bytes = [0xef, 0xbb, 0xbf, 0x7b, 0xff, 0x7d];
  const captured = [
    "printf '\\357\\273\\277{\\377}' | curl --data-binary @- https://a.example",
    JSON.stringify({
      url: 'https://a.example',
      headers: { a: 'b' },
      body: Buffer.from(bytes).toString('base64'),
      body_encoding: 'base64',
    }),
    Buffer.from('POST / HTTP/1.1 \n\n\xef\xbb\xbf{\xff}\n', 'latin1'),
  ];
  for (const each of captured) expect([...parseCapturedWebhook(Buffer.from(each)).body]).toEqual(bytes);
});

it.each([
  ['line breaks', `POST / HTTP/1.1\n\n{${'\n'.repeat(100_000)}}`],
  ['words', `curl ${'a '.repeat(300_000)}`],
])('B35: many %s are read in linear time', (_, text) => {
  const start = process.cpuUsage();
  parse(text);
  const { user, system } = process.cpuUsage(start);
  expect(user + system).toBeLessThan(2_000_000);
});

it.each([
  ['', /^There is no request/],
  ['hello', /^The first line must be/],
  [
    '{"url":"https://a.example","headers":{"a":"b"},"body":"?","body_encoding":"base64"}',
    /^The body is not base64$/,
  ],
  ['POST / HTTP/1.1\nno header', /^This line is no header: no header/],
])('says what is missing in %j', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

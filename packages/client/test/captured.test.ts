// Captured webhooks, as HTTP, as curl and as JSON.
import { expect, it } from 'vitest';
import { parseCapturedWebhook } from '../src/captured/parse.ts';

function parse(text: string) {
  const { method, url, headers, body } = parseCapturedWebhook(new TextEncoder().encode(text));
  return { method, url, headers, body: new TextDecoder().decode(body) };
}

it.each([
  ['line breaks of Windows, and one after the body', 'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}\r\n'],
  ['empty lines before it', '\n\nPOST / HTTP/1.1\nContent-Length: 2\n\n{}'],
])('reads a text with %s', (_, text) => {
  expect(parse(text).body).toBe('{}');
});

it('reads the request in the output of curl --verbose', () => {
  const text =
    '* Connected\n> POST /a HTTP/1.1\n> Host: hooks.example.com\n> Webhook-Id: evt_1\n> \n* sent\n< HTTP/1.1 204 No Content\n';
  expect(parse(text)).toMatchObject({
    url: 'https://hooks.example.com/a',
    headers: [
      ['Host', 'hooks.example.com'],
      ['Webhook-Id', 'evt_1'],
    ],
  });
});

it('keeps a body that is longer than its length, since that is what somebody captured', () => {
  expect(parse('POST / HTTP/1.1\nContent-Length: 2\n\n{} more').body).toBe('{} more');
});

it.each([
  'curl -X PUT -H "A: \\"b\\"" -d x\\ y https://a.example',
  `curl --url https://a.example --request PUT \\\r\n --header 'A: "b"' --data 'x y'`,
  `curl -XPUT -H'A: "b"' -d'x y' https://a.example`,
])('reads quotes, options and continued lines of %s', (text) => {
  expect(parse(text)).toEqual({
    method: 'PUT',
    url: 'https://a.example',
    headers: [['A', '"b"']],
    body: 'x y',
  });
});

it('takes no value of an option for the URL', () => {
  expect(parse('curl -X POST https://a.example -A agent -u me:secret -d {}').url).toBe('https://a.example');
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
  ['curl -d @body.json https://a.example', /^The file body\.json is not read/],
  ['hello', /^The first line must be/],
  [
    '{"url":"https://a.example","headers":{"a":"b"},"body":"?","body_encoding":"base64"}',
    /^The body is not base64$/,
  ],
  ['POST / HTTP/1.1\nno header', /^This line is no header: no header/],
])('says what is missing in %j', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

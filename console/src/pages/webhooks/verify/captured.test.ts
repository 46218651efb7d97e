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

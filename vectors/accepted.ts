// The requests that a receiver must accept.
import { type Case, covered, created, digest, kid, makeRequest, negateS, url } from './request.ts';

const proxy = {
  label: 'proxy',
  components: ['"@authority"'],
  parameters: ['created=1767225601', 'keyid="proxy"', 'alg="hmac-sha256"'],
};

export function acceptedCases(): Case[] {
  const plain = makeRequest();
  const accept = (name: string, request: Case['request'], rest: Partial<Case> = {}): Case => ({
    name,
    accept: true,
    request,
    ...rest,
  });
  const withHeaders = (edit: (header: [string, string]) => [string, string][], request = plain) => ({
    ...request,
    headers: request.headers.flatMap(edit),
  });
  const proxied = makeRequest({ ...proxy, headers: [] }).headers.filter(([name]) => name.startsWith('Signature'));
  const joined = (name: string, separator = ', ') =>
    [plain.headers, proxied].map((headers) => headers.find(([header]) => header === name)?.[1]).join(separator);
  const atUrl = (target: string) => makeRequest({ url: target });
  return [
    accept('as the sender makes it', plain),
    accept(
      'another event type',
      makeRequest({
        body: JSON.stringify({ id: 'evt_2', type: 'order.status_changed', data: { order_id: '1', status: 'shipped' } }),
      }),
    ),
    accept('a sandbox key on sandbox', makeRequest({ key: 'sandbox', environment: 'sandbox' }), { jwks: 'sandbox' }),
    accept('the successor of the active key', makeRequest({ key: 'successor' })),
    accept('another label', makeRequest({ label: 'concord.2026_a-b*' })),
    accept('components in another order', makeRequest({ components: [...covered].reverse() })),
    accept(
      'parameters in another order',
      makeRequest({ parameters: ['alg="ecdsa-p384-sha384"', `keyid="${kid('active')}"`, `created=${created}`] }),
    ),
    accept('one more component is covered', makeRequest({ components: [...covered, '"webhook-attempt"'] })),
    accept(
      'one more component is covered, with a parameter',
      makeRequest({
        components: [...covered, '"user-agent";bs'],
        editBase: (base) => base.replace(/(?<=^"user-agent";bs: ).*$/m, (value) => `:${btoa(value)}:`),
      }),
    ),
    accept(
      'more parameters: nonce, tag, and one that is not registered',
      makeRequest({
        parameters: [
          `created=${created}`,
          `keyid="${kid('active')}"`,
          'alg="ecdsa-p384-sha384"',
          'nonce="a\\"b\\\\c"',
          'tag="t"',
          'x=token',
          'y',
          'z=-5',
        ],
      }),
    ),
    accept(
      'expires in a minute',
      makeRequest({
        parameters: [`created=${created}`, `expires=${created + 60}`, `keyid="${kid('active')}"`, 'alg="ecdsa-p384-sha384"'],
      }),
    ),
    accept('created exactly 300 s ago', plain, { now: created + 300 }),
    accept('created exactly 300 s ahead', plain, { now: created - 300 }),
    accept('r begins with a zero byte', makeRequest({ id: leadingZero.r, encode: assertZeroAt(0) })),
    accept('s begins with a zero byte', makeRequest({ id: leadingZero.s, encode: assertZeroAt(48) })),
    accept('the other s: n - s is as good', makeRequest({ encode: negateS })),
    accept(
      'a second signature, of a proxy, in the same lines',
      withHeaders(([name, value]) => [[name, name.startsWith('Signature') ? joined(name) : value]]),
    ),
    accept('a second signature, of a proxy, in lines of its own before ours', {
      ...plain,
      headers: [...proxied, ...plain.headers],
    }),
    accept(
      'text beyond ASCII in the body',
      makeRequest({ body: JSON.stringify({ id: 'evt_3', type: 'inventory.updated', data: { sku: 'blåbær 🫐' } }) }),
    ),
    accept(
      'whitespace and member order of the body are kept',
      makeRequest({ body: '{ "type" : "inventory.updated",\r\n\t"data":{"quantity":1.0,"sku":"a"} , "id":"evt_4" }\n' }),
    ),
    accept(
      'a body of 20 kB',
      makeRequest({ body: JSON.stringify({ id: 'evt_5', type: 'inventory.updated', data: { sku: 'x'.repeat(20_000) } }) }),
    ),
    accept('a URL with a query', atUrl(`${url}?tenant=7&b=%2F&c=a+b`)),
    accept('a URL with a port', atUrl('https://hooks.example.com:8443/concord')),
    accept('a URL of a host alone', atUrl('https://hooks.example.com/')),
    accept('a URL with an escaped slash and a tilde', atUrl('https://hooks.example.com/a%2Fb/~c/%7Ed')),
    accept('a URL with an IPv6 address', atUrl('https://[2001:db8::1]/concord')),
    accept(
      'header names in lower case',
      withHeaders(([name, value]) => [[name.toLowerCase(), value]]),
    ),
    accept(
      'header names in upper case',
      withHeaders(([name, value]) => [[name.toUpperCase(), value]]),
    ),
    accept(
      'whitespace around header values',
      withHeaders(([name, value]) => [[name, ` \t${value}  `]]),
    ),
    accept(
      'optional whitespace within Signature-Input',
      withHeaders(([name, value]) => [
        [name, value.replace('("@method" ', '(  "@method"   ').replaceAll(';', ';  ').replace('")', '"  )')],
      ]),
    ),
    accept(
      'Webhook-Attempt is not covered: another one',
      withHeaders(([name, value]) => [[name, name === 'Webhook-Attempt' ? '2' : value]]),
    ),
    accept('headers that a proxy adds', {
      ...plain,
      headers: [['Via', '1.1 proxy'], ...plain.headers, ['X-Forwarded-For', '192.0.2.1']],
    }),
    accept('a content type with a parameter', makeRequest({ contentType: 'application/json; charset=utf-8' })),
    accept('sha-512 beside sha-256', makeRequest({ contentDigest: `${digest(plain.body)}, ${digest(plain.body, 'sha-512')}` })),
    accept('an unknown digest beside sha-256', makeRequest({ contentDigest: `crc32c=:AAAAAA==:, ${digest(plain.body)}` })),
  ];
}

/** Found by trying; the generator makes sure that they still are what they should be. */
const leadingZero = { r: 'evt_zero_r_26', s: 'evt_zero_s_85' };

function assertZeroAt(offset: number) {
  return (signature: Uint8Array): Uint8Array => {
    if (signature[offset] !== 0) throw new Error('The number does not begin with a zero byte any more: search another id');
    return signature;
  };
}

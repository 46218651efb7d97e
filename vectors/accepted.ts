// The vectors that a receiver must accept.
import {
  algParameter,
  createdParameter,
  keyidParameter,
  readHeader,
  withComponents,
  withParameters,
} from './edits.ts';
import {
  type Case,
  covered,
  created,
  digest,
  type Header,
  makeRequest,
  negateS,
  otherPartnerId,
  partnerId,
  url,
} from './request.ts';

const plain = makeRequest();
const proxied = makeRequest({
  label: 'proxy',
  components: ['"@authority"'],
  parameters: ['created=1767225601', 'keyid="proxy"', 'alg="hmac-sha256"'],
});

/** As the sender signs, with a key that the JWKS does not have. */
const rival = makeRequest({ label: 'proxy', key: 'removed' });

const accept = (name: string, request: Case['request'], rest: Partial<Case> = {}): Case => ({
  name,
  accept: true,
  request,
  ...rest,
});
const acceptHeaders = (name: string, edit: (header: Header) => Header) =>
  accept(name, { ...plain, headers: plain.headers.map(edit) });
const isSignature = (name: string) => name.startsWith('Signature');
const inventory = (id: string, data: unknown) =>
  JSON.stringify({ id, type: 'inventory.updated', partner_id: partnerId, data });

export function acceptedCases(): Case[] {
  return [
    accept('as the sender makes it', plain),
    accept(
      'another event type',
      makeRequest({
        body: JSON.stringify({
          id: 'evt_2',
          type: 'order.status_changed',
          partner_id: partnerId,
          data: { order_id: '1', status: 'shipped' },
        }),
      }),
    ),
    accept('a thin event, without data', makeRequest({ body: inventory('evt_1', undefined) })),
    accept('a sandbox key on sandbox', makeRequest({ key: 'sandbox', environment: 'sandbox' }), {
      jwks: 'sandbox',
    }),
    accept(
      "an event of another partner, by that partner's receiver",
      makeRequest({ partner: otherPartnerId }),
      {
        partner_id: otherPartnerId,
      },
    ),
    accept('the successor of the active key', makeRequest({ key: 'successor' })),
    accept('another label', makeRequest({ label: 'concord.2026_a-b*' })),
    accept('components in another order', makeRequest({ components: [...covered].reverse() })),
    accept('parameters in another order', withParameters(keyidParameter, algParameter, createdParameter)),
    accept('one more component is covered', withComponents('"webhook-attempt"')),
    accept(
      'one more component is covered, with a parameter',
      makeRequest({
        components: [...covered, '"user-agent";bs'],
        editBase: (base) => base.replace(/(?<=^"user-agent";bs: ).*$/m, (value) => `:${btoa(value)}:`),
      }),
    ),
    accept(
      'more parameters: nonce, tag, and unregistered ones',
      withParameters(
        createdParameter,
        keyidParameter,
        algParameter,
        'nonce="a\\"b\\\\c"',
        'tag="t"',
        'x=token',
        'y',
        'z=-5',
      ),
    ),
    accept(
      'expires in a minute',
      withParameters(createdParameter, `expires=${created + 60}`, keyidParameter, algParameter),
    ),
    accept('created exactly 300 s ago', plain, { now: created + 300 }),
    accept('created exactly 300 s ahead', plain, { now: created - 300 }),
    accept('r begins with a zero byte', makeRequest({ id: leadingZero.r, encode: assertZeroAt(0) })),
    accept('s begins with a zero byte', makeRequest({ id: leadingZero.s, encode: assertZeroAt(48) })),
    accept('the other valid s: n - s', makeRequest({ encode: negateS })),
    acceptHeaders('a second signature, by a proxy, in the same lines', ([name, value]) => [
      name,
      isSignature(name) ? `${value}, ${readHeader(proxied, name)}` : value,
    ]),
    accept('a second signature, by a proxy, in lines before ours', {
      ...plain,
      headers: [...proxied.headers.filter(([name]) => isSignature(name)), ...plain.headers],
    }),
    accept('two signatures by the sender', {
      ...plain,
      headers: [
        ...plain.headers,
        ...makeRequest({ label: 'other' }).headers.filter(([name]) => isSignature(name)),
      ],
    }),
    acceptHeaders(
      'a second signature, by a proxy, with the same algorithm and components',
      ([name, value]) => [name, isSignature(name) ? `${readHeader(rival, name)}, ${value}` : value],
    ),
    accept('non-ASCII text in the body', makeRequest({ body: inventory('evt_3', { sku: 'blåbær 🫐' }) })),
    accept(
      'unusual whitespace and member order in the body',
      makeRequest({
        body: '{ "type" : "inventory.updated",\r\n\t"data":{"quantity":1.0,"sku":"a"} , "partner_id":"ptr_01h2xcejqtf2nbrexx3vqjhp41", "id":"evt_4" }\n',
      }),
    ),
    accept('a body of 20 kB', makeRequest({ body: inventory('evt_5', { sku: 'x'.repeat(20_000) }) })),
    accept('a URL with a query', makeRequest({ url: `${url}?tenant=7&b=%2F&c=a+b` })),
    accept('a URL with a port', makeRequest({ url: 'https://hooks.example.com:8443/concord' })),
    accept('a URL with the path /', makeRequest({ url: 'https://hooks.example.com/' })),
    accept(
      'a URL with an escaped slash and a tilde',
      makeRequest({ url: 'https://hooks.example.com/a%2Fb/~c/%7Ed' }),
    ),
    accept('a URL with an IPv6 address', makeRequest({ url: 'https://[2001:db8::1]/concord' })),
    acceptHeaders('header names in lower case', ([name, value]) => [name.toLowerCase(), value]),
    acceptHeaders('header names in upper case', ([name, value]) => [name.toUpperCase(), value]),
    acceptHeaders('whitespace around header values', ([name, value]) => [name, ` \t${value}  `]),
    acceptHeaders('optional whitespace in Signature-Input', ([name, value]) => [
      name,
      value.replace('("@method" ', '(  "@method"   ').replaceAll(';', ';  ').replace('")', '"  )'),
    ]),
    acceptHeaders('another Webhook-Attempt, which is not covered', ([name, value]) => [
      name,
      name === 'Webhook-Attempt' ? '2' : value,
    ]),
    accept('headers added by a proxy', {
      ...plain,
      headers: [['Via', '1.1 proxy'], ...plain.headers, ['X-Forwarded-For', '192.0.2.1']],
    }),
    accept(
      'a content type with a parameter',
      makeRequest({ contentType: 'application/json; charset=utf-8' }),
    ),
    accept(
      'sha-512 beside sha-256',
      makeRequest({ contentDigest: `${digest(plain.body)}, ${digest(plain.body, 'sha-512')}` }),
    ),
    accept(
      'an unknown digest beside sha-256',
      makeRequest({ contentDigest: `crc32c=:AAAAAA==:, ${digest(plain.body)}` }),
    ),
  ];
}

/** Event ids whose signature has a leading zero byte, found by trying; `assertZeroAt` keeps this true. */
const leadingZero = { r: 'evt_zero_r_98', s: 'evt_zero_s_11' };

function assertZeroAt(offset: number) {
  return (bytes: Uint8Array): Uint8Array => {
    if (bytes[offset] !== 0)
      throw new Error(`Byte ${offset} of the signature must be zero: search another id`);
    return bytes;
  };
}

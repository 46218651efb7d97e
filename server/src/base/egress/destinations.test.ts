// Which URLs and addresses a webhook may go to.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDestinations, literalOf } from './destinations.ts';

const strict = createDestinations({ allowedCidrs: [], allowHttp: false });
const refusal = (text: string, destinations = strict) => {
  try {
    destinations.parseUrl(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

it('W21: special-purpose IPv4 addresses are refused, their neighbours are not', () => {
  for (const [first, last, before, after] of [
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.1', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['169.254.169.254', '169.254.0.0', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
    ['0.0.0.0', '0.255.255.255', '1.0.0.0', '223.255.255.255'],
    ['224.0.0.1', '255.255.255.255', '223.255.255.254', '8.8.8.8'],
  ] as const) {
    expect([strict.allows(first), strict.allows(last), strict.allows(before), strict.allows(after)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  }
});

it('W21: only global unicast IPv6 is allowed, without its special-purpose ranges', () => {
  for (const address of ['2606:4700::1111', '2a00::1', '2001:200::1', '3ffe::1'])
    expect([address, strict.allows(address)]).toEqual([address, true]);
  const refused = [
    ...[
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '::7f00:1',
      '64:ff9b::8.8.8.8',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'ff02::1',
      '4000::1',
      '1fff::1',
    ],
    ...['2001::1', '2001:1ff::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '2620:4f:8000::1', '2606::1%1'],
  ];
  for (const address of refused) expect([address, strict.allows(address)]).toEqual([address, false]);
});

it('W21: text that is not an address is refused', () => {
  fc.assert(fc.property(fc.string(), (text) => strict.allows(`${text} `) === false));
});

it('W21: the operator can allow more addresses', () => {
  const some = createDestinations({ allowedCidrs: ['127.0.0.0/8', 'fd00::/8', '10.1.2.3'], allowHttp: true });
  for (const [address, allowed] of [
    ['127.0.0.1', true],
    ['fd00::1', true],
    ['10.1.2.3', true],
    ['10.1.2.4', false],
    ['8.8.8.8', true],
  ] as const)
    expect([address, some.allows(address)]).toEqual([address, allowed]);
  expect(refusal('http://127.0.0.1:8080/x', some)).toBeNull();
});

it('W21: a URL is https without credentials, fragment, port 0 or a refused address, however that is spelled', () => {
  expect(refusal('https://hooks.example.com/concord?x=1')).toBeNull();
  expect(refusal('https://8.8.8.8/')).toBeNull();
  for (const text of [
    ...['http://hooks.example.com/', 'ftp://x/', 'file:///etc/passwd', 'hooks.example.com', '', '//x/'],
    ...[
      'https://a@x.example/',
      'https://a:b@x.example/',
      'https://:b@x.example/',
      'https://x.example/#',
      'https://x.example/#a',
      'https://x.example:0/',
    ],
    ...[
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f.0.0.1/',
      'https://0177.0.0.1/',
      'https://１２７.0.0.1/',
    ],
    ...[
      'https://[::1]/',
      'https://[::ffff:7f00:1]/',
      'https://[fe80::1%25eth0]/',
      'https://0/',
      'https://169.254.169.254/latest',
    ],
  ])
    expect([text, refusal(text)]).toEqual([text, expect.any(String)]);
  expect(literalOf(new URL('https://[2606:4700::1]/'))).toBe('2606:4700::1');
});

// Interoperability with http-message-sig, an independent implementation: each verifies signatures of the
// other.
import { createSignature, verifySignature } from 'http-message-sig';
import { describe, expect, it } from 'vitest';
import {
  component,
  createSigner,
  createVerifier,
  type Message,
  signMessage,
  verifyMessage,
} from '../src/index.ts';
import { loadRfcKey, type RfcKeyName } from './rfc-keys.ts';

const now = 1_618_884_480;
const fields = [
  { name: 'Content-Type', value: 'application/json' },
  { name: 'X-Two', value: ' one ' },
  { name: 'X-Two', value: 'two' },
  { name: 'Example-Dict', value: 'a=1,   b=(x   y);z' },
];
const descriptor = {
  kind: 'request',
  method: 'POST',
  targetUri: 'https://example.com/foo?param=Value&Pet=dog',
  requestTarget: '/foo?param=Value&Pet=dog',
  fields,
} as const;
const message: Message = {
  method: 'POST',
  url: descriptor.targetUri,
  headers: fields.map(({ name, value }) => [name, value] as const),
};
const p384 = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, [
  'sign',
  'verify',
]);

/** RFC 9421 has no key for P-384. */
async function loadKey(name: RfcKeyName | 'p384') {
  if (name !== 'p384') return loadRfcKey(name);
  return {
    signer: createSigner('ecdsa-p384-sha384', p384.privateKey),
    verifier: createVerifier('ecdsa-p384-sha384', p384.publicKey),
  };
}

describe.each([
  'p384',
  'test-key-ecc-p256',
  'test-key-rsa-pss',
  'test-key-rsa',
  'test-key-ed25519',
  'test-shared-secret',
] as const)('%s', (name) => {
  const names = [
    '@method',
    '@target-uri',
    '@authority',
    '@scheme',
    '@request-target',
    '@path',
    '@query',
    'content-type',
    'x-two',
  ];

  it('they verify what we sign', async () => {
    const { signer, verifier } = await loadKey(name);
    const signed = await signMessage(message, {
      components: [...names, component('example-dict', { key: 'b' })],
      parameters: { created: now, keyid: 'k', alg: signer.algorithm, nonce: 'a"b\\c' },
      signer,
      fieldTypes: { 'example-dict': 'dictionary' },
    });
    const all = [
      ...fields,
      { name: 'Signature-Input', value: signed.signatureInput },
      { name: 'Signature', value: signed.signature },
    ];
    const verified = await verifySignature(
      { ...descriptor, fields: all },
      {
        policy: {
          algorithms: [signer.algorithm],
          requiredComponents: names,
          requiredParameters: ['created', 'keyid'],
          now,
        },
        resolveVerifier: () => ({
          algorithm: verifier.algorithm,
          verify: (data, signature) => verifier.verify(new Uint8Array(data), new Uint8Array(signature)),
        }),
      },
    );
    expect(verified.label).toBe('sig1');
  });

  it('we verify what they sign', async () => {
    const { signer, verifier } = await loadKey(name);
    const signed = await createSignature(descriptor, {
      label: 'theirs',
      components: [...names, { name: 'example-dict', parameters: { key: 'b' } }],
      parameters: { created: now, keyid: 'k', alg: signer.algorithm },
      signer: { algorithm: signer.algorithm, sign: (data) => signer.sign(new Uint8Array(data)) },
    });
    const headers = [
      ...(message.headers as [string, string][]),
      ['Signature-Input', signed.signatureInput] as const,
      ['Signature', signed.signature] as const,
    ];
    const verified = await verifyMessage(
      { ...message, headers },
      {
        requiredComponents: names,
        now: () => now * 1_000,
        findVerifier: () => verifier,
        fieldTypes: { 'example-dict': 'dictionary' },
      },
    );
    expect(verified).toMatchObject({ label: 'theirs', parameters: { keyid: 'k' } });
  });
});

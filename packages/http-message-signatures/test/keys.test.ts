// Keys that do not fit their algorithm, the choice among several signatures, and signers of your own.
import { describe, expect, it } from 'vitest';
import {
  createSigner,
  createVerifier,
  importKey,
  type Signer,
  signMessage,
  type Verifier,
  verifyMessage,
} from '../src/index.ts';
import { codeOf } from './code-of.ts';
import { loadRfcKey } from './rfc-keys.ts';
import rfc from './rfc9421.json' with { type: 'json' };

const p256 = rfc.keys['test-key-ecc-p256'];

describe('refuses', async () => {
  const signing = await importKey('ecdsa-p256-sha256', p256.private, 'sign');
  const verifying = await importKey('ecdsa-p256-sha256', p256.public, 'verify');
  const pss = await importKey('rsa-pss-sha512', rfc.keys['test-key-rsa-pss'].public, 'verify');

  it('a key for another curve, algorithm, hash or use, and to export what it imported', async () => {
    expect(signing.extractable).toBe(false);
    expect(codeOf(() => createSigner('ecdsa-p384-sha384', signing))).toBe('key_invalid');
    for (const none of [undefined, null, 'a PEM'])
      expect(codeOf(() => createSigner('ecdsa-p256-sha256', none as never))).toBe('key_invalid');
    expect(codeOf(() => createSigner('ecdsa-p256-sha256', verifying))).toBe('key_invalid');
    expect(codeOf(() => createVerifier('ecdsa-p256-sha256', signing))).toBe('key_invalid');
    expect(codeOf(() => createVerifier('hmac-sha256', verifying))).toBe('key_invalid');
    expect(codeOf(() => createVerifier('rsa-v1_5-sha256', pss))).toBe('key_invalid');
    const sha256 = { name: 'RSA-PSS', hash: 'SHA-256' };
    const weaker = await crypto.subtle.importKey('jwk', rfc.keys['test-key-rsa-pss'].public, sha256, false, [
      'verify',
    ]);
    expect(codeOf(() => createVerifier('rsa-pss-sha512', weaker))).toBe('key_invalid');
  });

  it('an unknown algorithm', () => {
    for (const name of ['none', 'ES384', 'constructor', '']) {
      expect(codeOf(() => createVerifier(name as 'ed25519', verifying))).toBe('unsupported');
    }
  });

  it('a JWK for another algorithm, and a malformed one', async () => {
    await expect(importKey('ecdsa-p384-sha384', p256.public, 'verify')).rejects.toMatchObject({
      code: 'key_invalid',
    });
    await expect(
      importKey('ecdsa-p256-sha256', { ...p256.public, y: p256.public.x }, 'verify'),
    ).rejects.toMatchObject({
      code: 'key_invalid',
    });
    await expect(importKey('ed25519', {}, 'verify')).rejects.toMatchObject({ code: 'key_invalid' });
  });
});

describe('several signatures', async () => {
  const message = { method: 'GET', url: 'https://example.com/' };
  const { signer, verifier } = await loadRfcKey('test-key-ecc-p256');
  const findVerifier = () => verifier;
  const headers: [string, string][] = [];
  for (const tag of ['one', 'two']) {
    const options = { label: tag, components: ['@method'], parameters: { tag, keyid: tag }, signer };
    const signed = await signMessage({ ...message, headers: [] }, options);
    headers.push(['Signature-Input', signed.signatureInput], ['Signature', signed.signature]);
  }
  const verify = (options: { tag?: string; label?: string }) =>
    verifyMessage({ ...message, headers }, { requiredComponents: ['@method'], findVerifier, ...options });

  it('are chosen by tag or label', async () => {
    expect((await verify({ tag: 'one' })).label).toBe('one');
    expect((await verify({ label: 'two' })).parameters.keyid).toBe('two');
    await expect(verify({})).rejects.toMatchObject({ code: 'signature_ambiguous' });
    await expect(verify({ tag: 'three' })).rejects.toMatchObject({ code: 'signature_missing' });
    await expect(verify({ tag: 'one', label: 'two' })).rejects.toMatchObject({ code: 'signature_missing' });
  });
});

it('signers and verifiers can be of your own', async () => {
  class Reversing implements Signer, Verifier {
    readonly algorithm = 'x-reverse';
    sign(data: Uint8Array) {
      return data.toReversed();
    }
    verify(data: Uint8Array, signature: Uint8Array) {
      return String(this.sign(data)) === String(signature);
    }
  }
  const message = { method: 'GET', url: 'https://example.com/' };
  const own = new Reversing();
  const signed = await signMessage(
    { ...message, headers: [] },
    { components: ['@method'], parameters: {}, signer: own },
  );
  const headers = { 'Signature-Input': signed.signatureInput, Signature: signed.signature };
  const verified = verifyMessage(
    { ...message, headers },
    { requiredComponents: [], findVerifier: () => own },
  );
  await expect(verified).resolves.toMatchObject({ label: 'sig1' });
});

// Every signed example of RFC 9421: its exact signature base, and its signature.
import { describe, expect, it } from 'vitest';
import {
  createSignatureBase,
  readParameters,
  readSignatures,
  signMessage,
  verifyMessage,
} from '../src/index.ts';
import { parseMessage } from './http-text.ts';
import { loadRfcKey, type RfcKeyName } from './rfc-keys.ts';
import data from './rfc9421.json' with { type: 'json' };

type Case = {
  section: string;
  name: string;
  request?: string;
  message: string;
  label?: string;
  base?: string;
  valid: boolean;
};
const cases: Case[] = data.cases;
const now = () => 1_618_884_480_000;
const findVerifier = async ({ keyid = '' }) => (await loadRfcKey(keyid as RfcKeyName)).verifier;

for (const { section, name, request, message: text, label, base, valid } of cases)
  describe(`RFC 9421, ${section} ${name}`, () => {
    const message = parseMessage(text, request);
    const signatures = readSignatures(message);
    const chosen = signatures.find((signature) => label === undefined || signature.label === label)!;

    if (base)
      it('has the printed signature base', () => {
        expect(createSignatureBase(message, chosen)).toBe(base);
      });

    it(valid ? 'verifies' : 'does not verify', async () => {
      const verified = verifyMessage(message, { label, requiredComponents: [], findVerifier, now });
      if (valid) expect((await verified).label).toBe(chosen.label);
      else await expect(verified).rejects.toMatchObject({ code: 'signature_invalid' });
    });

    if (valid)
      it('verifies after signing again', async () => {
        const { keyid = '' } = readParameters(chosen.parameters);
        const { signer } = await loadRfcKey(keyid as RfcKeyName);
        const fields = await signMessage(message, { ...chosen, signer });
        const headers = (message.headers as [string, string][]).filter(([name]) => !/^signature/i.test(name));
        headers.push(['Signature-Input', fields.signatureInput], ['Signature', fields.signature]);
        const signed = { ...message, headers };
        const verified = await verifyMessage(signed, {
          requiredComponents: chosen.components,
          findVerifier,
          now,
        });
        expect(verified.parameters).toEqual(readParameters(chosen.parameters));
        // These algorithms are deterministic.
        if (['hmac-sha256', 'ed25519', 'rsa-v1_5-sha256'].includes(signer.algorithm)) {
          expect(readSignatures(signed)[0]!.signature).toEqual(chosen.signature);
        }
      });
  });

it('covers every signed example of sections 2 to 4 and Appendix B', () => {
  expect(cases.map(({ section }) => section).sort()).toEqual(
    [
      '2.4',
      '2.4',
      '2.4',
      '3.2',
      '4.3',
      '4.3',
      '4.3',
      'B.2.1',
      'B.2.2',
      'B.2.3',
      'B.2.4',
      'B.2.5',
      'B.2.6',
      'B.3',
    ].concat(Array(6).fill('B.4')),
  );
});

// Every signed example of RFC 9421: its signature base is made exactly, and its signature is judged as the RFC does.
import { describe, expect, it } from 'vitest';
import {
  type AlgorithmName,
  createSignatureBase,
  createSigner,
  createVerifier,
  importKey,
  readParameters,
  readSignatures,
  signMessage,
  verifyMessage,
} from '../src/index.ts';
import { parseMessage } from './http-text.ts';
import data from './rfc9421.json' with { type: 'json' };

type Case = { section: string; name: string; request?: string; message: string; label?: string; base?: string; valid: boolean };
type Keys = Record<string, { algorithm: AlgorithmName; private: JsonWebKey; public: JsonWebKey }>;
type JsonWebKey = Record<string, string>;
const cases: Case[] = data.cases;
const keys = data.keys as Keys;

async function findVerifier({ keyid = '' }) {
  const key = keys[keyid];
  return key && createVerifier(key.algorithm, await importKey(key.algorithm, key.public, 'verify'));
}

const now = () => 1_618_884_480_000;

for (const { section, name, request, message: text, label, base, valid } of cases)
  describe(`RFC 9421, ${section} ${name}`, () => {
    const message = parseMessage(text, request);
    const signatures = readSignatures(message);
    const chosen = signatures.find((signature) => label === undefined || signature.label === label)!;

    if (base)
      it('has the signature base', () => {
        expect(createSignatureBase(message, chosen)).toBe(base);
      });

    it(valid ? 'is verified' : 'is not verified', async () => {
      const verified = verifyMessage(message, { label, requiredComponents: [], findVerifier, now });
      if (valid) expect((await verified).label).toBe(chosen.label);
      else await expect(verified).rejects.toMatchObject({ code: 'signature_invalid' });
    });

    if (valid)
      it('is verified when we sign it anew', async () => {
        const { keyid = '' } = readParameters(chosen.parameters);
        const key = keys[keyid]!;
        const signer = createSigner(key.algorithm, await importKey(key.algorithm, key.private, 'sign'));
        const fields = await signMessage(message, { ...chosen, signer });
        const headers = [...(message.headers as [string, string][])].filter(([name]) => !/^signature/i.test(name));
        const signed = {
          ...message,
          headers: [...headers, ['Signature-Input', fields.signatureInput], ['Signature', fields.signature]] as [
            string,
            string,
          ][],
        };
        const verified = await verifyMessage(signed, { requiredComponents: chosen.components, findVerifier, now });
        expect(verified.parameters).toEqual(readParameters(chosen.parameters));
        // These two give the same bytes each time, which are those of the RFC.
        if (['hmac-sha256', 'ed25519', 'rsa-v1_5-sha256'].includes(key.algorithm)) {
          expect(readSignatures(signed)[0]!.signature).toEqual(chosen.signature);
        }
      });
  });

it('covers each signed example of Appendix B, and those of sections 2 to 4', () => {
  expect(cases.map(({ section }) => section).sort()).toEqual(
    ['2.4', '2.4', '2.4', '3.2', '4.3', '4.3', '4.3', 'B.2.1', 'B.2.2', 'B.2.3', 'B.2.4', 'B.2.5', 'B.2.6', 'B.3'].concat(
      Array(6).fill('B.4'),
    ),
  );
});

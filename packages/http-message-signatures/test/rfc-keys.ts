// The example keys of RFC 9421, Appendix B.1, as signers and verifiers.
import { type AlgorithmName, createSigner, createVerifier, importKey } from '../src/index.ts';
import rfc from './rfc9421.json' with { type: 'json' };

export type RfcKeyName = keyof typeof rfc.keys;

export async function loadRfcKey(name: RfcKeyName) {
  const key = rfc.keys[name];
  const algorithm = key.algorithm as AlgorithmName;
  return {
    signer: createSigner(algorithm, await importKey(algorithm, key.private, 'sign')),
    verifier: createVerifier(algorithm, await importKey(algorithm, key.public, 'verify')),
  };
}

// Which signer is chosen, and that receivers accept the signatures of each.
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSignatureBase,
  createVerifier,
  importKey,
  readSignatures,
  serializeSignature,
} from '@concord/http-message-signatures';
import { loadNativeSigner } from '@concord/p384-signer';
import { verifyWebhook } from '@concord/webhook-receiver';
import { expect, it, onTestFinished } from 'vitest';
import { type Case, kid } from '../../../../vectors/request.ts';
import testKeys from '../../../../vectors/TEST-KEYS.json' with { type: 'json' };
import { chooseSigner, signWithNode } from './signer.ts';

function stage({ loadsNative = true, content = null as string | null } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'concord-signer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'p384-signer.node');
  if (content !== null) writeFileSync(file, content);
  const [chosen, broken]: [string[], unknown[]] = [[], []];
  const choose = () =>
    chooseSigner(
      {
        loadsNative,
        onChosen: (signer) => chosen.push(signer),
        onBroken: (error) => broken.push(error),
      },
      file,
    );
  return { choose, file, chosen, broken };
}

it('W34: without the native module, the crypto of Node signs, and nothing is broken', async () => {
  const { choose, chosen, broken } = stage();
  expect([await choose(), chosen, broken]).toEqual([signWithNode, ['node'], []]);
});

it('W34: with a native module that does not load, the crypto of Node signs, and the module is reported', async () => {
  const { choose, file, chosen, broken } = stage({ content: 'not a library' });
  expect([await choose(), chosen]).toEqual([signWithNode, ['node']]);
  expect(broken).toEqual([
    expect.objectContaining({ message: expect.stringContaining(`${file} does not work`) }),
  ]);
});

it('W34: a native module that must not be loaded is not looked at', async () => {
  const { choose, chosen, broken } = stage({ loadsNative: false, content: 'not a library' });
  expect([await choose(), chosen, broken]).toEqual([signWithNode, ['node'], []]);
});

type Jwk = Record<string, unknown>;
type Vectors = { jwks: Record<string, { keys: Jwk[] }>; cases: Required<Case>[] };
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../../vectors/webhooks.json', import.meta.url), 'utf8'),
);
const findKeyIn = (jwks: string) => async (keyId: string) => {
  const jwk = vectors.jwks[jwks]?.keys.find((each) => each.kid === keyId);
  return jwk && createVerifier('ecdsa-p384-sha384', await importKey('ecdsa-p384-sha384', jwk, 'verify'));
};
const keyNames = ['active', 'successor', 'sandbox'] as const;
const native = await loadNativeSigner();
if (!native)
  process.stdout.write('Skipped: vectors signed by the native module, which this platform lacks\n');

for (const [name, createSign] of Object.entries({
  'the crypto of Node': signWithNode,
  'the native module': native,
}))
  it.runIf(createSign)(`W1, W34: receivers accept every vector that ${name} signs again`, async () => {
    const signers = new Map(
      keyNames.map((key) => [
        kid(key),
        createSign?.(createPrivateKey({ key: testKeys[key], format: 'jwk' })),
      ]),
    );
    let signed = 0;

    /** The request with new signatures of the keys that we have. */
    async function signAgain(request: Case['request']): Promise<Case['request']> {
      const signatures = new Map<string, Uint8Array>();
      for (const { label, components, parameters, signature } of readSignatures(request)) {
        const sign = signers.get(String(parameters.get('keyid')));
        const base = Buffer.from(createSignatureBase(request, { components, parameters }));
        signatures.set(label, (await sign?.(base)) ?? signature);
        if (sign) signed++;
      }
      const others = request.headers.filter(([header]) => header.toLowerCase() !== 'signature');
      return { ...request, headers: [...others, ['Signature', serializeSignature(signatures)]] };
    }

    const accepted = vectors.cases.filter(({ accept }) => accept);
    for (const vector of accepted) {
      const { body, ...request } = await signAgain(vector.request);
      const keys = { findKey: findKeyIn(vector.jwks) };
      const verifying = verifyWebhook(
        { ...request, body: Buffer.from(body) },
        { keys, partnerId: vector.partner_id, now: () => vector.now * 1_000 },
      );
      expect((await verifying).events, vector.name).toEqual([JSON.parse(body)].flat());
    }
    expect(signed).toBeGreaterThanOrEqual(accepted.length);
  });

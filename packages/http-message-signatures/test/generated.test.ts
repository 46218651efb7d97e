// Generated inputs, 100,000 in the long form: every error has a code, nothing hangs, and parsed values survive a round trip.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  component,
  createSignatureBase,
  parseSignature,
  parseSignatureInput,
  SignatureError,
  serializeSignature,
  serializeSignatureInputs,
  verifyContentDigest,
  verifyMessage,
} from '../src/index.ts';

/** Pieces that often form almost valid fields. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'sig1',
      '=',
      '(',
      ')',
      '"@method"',
      '"content-type"',
      ';',
      ',',
      ' ',
      'created',
      '1618884473',
      ':',
      'AA==',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '"',
      '\\',
      '.',
      '-',
      '?1',
      '@1',
      '%"',
      '1.0',
      '\t',
      'keyid="k"',
      ';sf',
      ';req',
      ', a=()',
      '=:AAAA:',
      '*',
      'D',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const nearMiss = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
const key = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,6}$/);
const value = fc.oneof(
  fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  fc.stringMatching(/^[ -~]{0,12}$/),
  fc.boolean(),
);
const parameters = fc
  .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 5 })
  .map((pairs) => new Map(pairs));
const inputs = fc
  .uniqueArray(
    fc.tuple(
      key,
      fc.record({
        components: fc.uniqueArray(fc.record({ name: fc.stringMatching(/^[ -~]{0,12}$/), parameters }), {
          selector: ({ name }) => name,
          maxLength: 5,
        }),
        parameters,
      }),
    ),
    { selector: ([label]) => label, minLength: 1, maxLength: 4 },
  )
  .map((pairs) => new Map(pairs));
const fieldText = fc.oneof(nearMiss, fc.string({ unit: 'binary', maxLength: 40 }));

/** Returns the result, or undefined for a SignatureError. Rethrows other errors. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof SignatureError && typeof error.code === 'string') return undefined;
    throw error;
  }
}
/** `npm run test:long` makes this many inputs, `npm test` a tenth. */
const check = (property: fc.IRawProperty<never> | fc.IAsyncProperty<never>, many: number) =>
  fc.assert(property as never, {
    numRuns: process.env.TEST_LENGTH === 'long' ? many : many / 10,
    interruptAfterTimeLimit: 60_000,
    markInterruptAsFailure: true,
  });

describe('generated input', () => {
  it('Signature-Input: texts are refused with a code or survive a round trip', async () => {
    let read = 0;
    await check(
      fc.property(fieldText, (text) => {
        const parsed = attempt(() => parseSignatureInput(text));
        if (!parsed) return;
        read += 1;
        const written = serializeSignatureInputs(parsed);
        expect(parseSignatureInput(written)).toEqual(parsed);
        expect(serializeSignatureInputs(parseSignatureInput(written))).toBe(written);
      }) as never,
      45_000,
    );
    expect(read).toBeGreaterThan(100);
  });

  it('Signature-Input: values survive a round trip', async () => {
    await check(
      fc.property(inputs, (value) => {
        expect(parseSignatureInput(serializeSignatureInputs(value))).toEqual(value);
      }) as never,
      10_000,
    );
  });

  it('Signature: texts are refused with a code or survive a round trip', async () => {
    await check(
      fc.property(fieldText, (text) => {
        const parsed = attempt(() => parseSignature(text));
        if (parsed) expect(parseSignature(serializeSignature(parsed))).toEqual(parsed);
      }) as never,
      20_000,
    );
  });

  it('signature bases: messages are refused with a code or give two lines', async () => {
    const names = fc.oneof(
      fc.constantFrom(
        '@method',
        '@target-uri',
        '@authority',
        '@query',
        '@query-param',
        '@path',
        '@request-target',
        'x-a',
        'signature',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const flags = fc.record(
      {
        sf: fc.constant(true as const),
        bs: fc.constant(true as const),
        key: key,
        name: fc.string({ maxLength: 4 }),
      },
      { requiredKeys: [] },
    );
    await check(
      fc.property(
        names,
        flags,
        fieldText,
        fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()),
        (name, componentParameters, text, url) => {
          const base = attempt(() =>
            createSignatureBase(
              {
                method: 'POST',
                url,
                headers: [
                  ['x-a', text],
                  ['signature', text],
                ],
              },
              {
                components: [component(name, componentParameters)],
                parameters: {},
                fieldTypes: { 'x-a': 'dictionary' },
              },
            ),
          );
          // One line for the component and one for the parameters, both printable ASCII.
          if (base !== undefined) expect(base).toMatch(/^[\t\x20-\x7e]*\n"@signature-params": [\x20-\x7e]*$/);
        },
      ) as never,
      15_000,
    );
  });

  it('verifying: pairs of fields and digests are refused with a code', async () => {
    await check(
      fc.asyncProperty(fieldText, fieldText, async (input, signature) => {
        const headers = [
          ['signature-input', `sig1=();created=1${input}`],
          ['signature', `sig1=:AAAA:${signature}`],
        ] as const;
        const verifying = verifyMessage(
          { method: 'POST', url: 'https://example.com/', headers },
          { requiredComponents: [], findVerifier: () => ({ algorithm: 'a', verify: () => false }) },
        );
        await expect(verifying).rejects.toBeInstanceOf(SignatureError);
        await expect(verifyContentDigest(input, 'content')).rejects.toBeInstanceOf(SignatureError);
      }) as never,
      10_000,
    );
  });
});

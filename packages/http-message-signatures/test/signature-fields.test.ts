// Hostile Signature-Input and Signature fields: each is refused with its code, in bounded time.
import { describe, expect, it } from 'vitest';
import {
  type AlgorithmName,
  component,
  createSignatureBase,
  createSigner,
  createVerifier,
  importKey,
  type RequestMessage,
  type SignatureErrorCode,
  signMessage,
  verifyMessage,
} from '../src/index.ts';
import rfc from './rfc9421.json' with { type: 'json' };

const key = rfc.keys['test-key-ecc-p256'];
const algorithm = key.algorithm as AlgorithmName;
const created = 1_618_884_473;
const unsigned: RequestMessage = {
  method: 'POST',
  url: 'https://example.com/foo?a=1',
  headers: [
    ['Content-Type', 'application/json'],
    ['X-Two', 'one'],
    ['X-Two', 'two'],
  ],
};
const components = ['@method', '@target-uri', 'content-type', 'x-two'];
const signer = createSigner(algorithm, await importKey(algorithm, key.private, 'sign'));
const verifier = createVerifier(algorithm, await importKey(algorithm, key.public, 'verify'));
const { signatureInput, signature } = await signMessage(unsigned, {
  components,
  parameters: { created, keyid: 'k', alg: algorithm },
  signer,
});

type Change = { input?: string | string[]; signature?: string | string[]; message?: Partial<RequestMessage> };
const lines = (name: string, values: string | string[]) => [values].flat().map((value) => [name, value] as [string, string]);

function verify({ input = signatureInput, signature: value = signature, message = {} }: Change, label?: string) {
  const changed = { ...unsigned, ...message };
  const headers = [...(changed.headers as [string, string][]), ...lines('Signature-Input', input), ...lines('Signature', value)];
  return verifyMessage(
    { ...changed, headers },
    {
      requiredComponents: components,
      maxAgeSeconds: 300,
      clockSkewSeconds: 60,
      now: () => (created + 10) * 1_000,
      label,
      findVerifier: ({ keyid }) => (keyid === 'k' ? verifier : undefined),
    },
  );
}
const edit = (from: string | RegExp, to: string) => signatureInput.replace(from, to);
const asDer = ':MEUCIQDEu3ZUAuwsUkZqW2hcZk3Cn4s9oBxVJ3xHjSx0sJq0ZgIgQjZ6yM5nqmNZ9nO8m6oxQvYcN4r9Yh5xkq0WmRrQ2mA=:';

it('the message as it was signed passes, also with outer whitespace and lines apart', async () => {
  expect(await verify({})).toMatchObject({ label: 'sig1', parameters: { created, keyid: 'k' } });
  await verify({ input: `  ${edit('" "', '"   "')}  ` });
  await verify({
    message: {
      headers: [
        ['CONTENT-TYPE', 'application/json'],
        ['X-Two', 'one, two'],
      ],
    },
  });
});

const refused: [name: string, change: Change, code: SignatureErrorCode][] = [
  ['a label twice', { input: `${signatureInput}, ${signatureInput}` }, 'label_duplicate'],
  ['a label twice, in two lines', { input: [signatureInput, signatureInput] }, 'label_duplicate'],
  ['a label twice in Signature', { signature: [signature, signature] }, 'label_duplicate'],
  ['a component twice', { input: edit('("@method"', '("@method" "@method"') }, 'component_duplicate'],
  [
    'a component twice, parameters in another order',
    { input: edit('"x-two"', '"x-two";sf;key="a" "x-two";key="a";sf') },
    'component_duplicate',
  ],
  ['a parameter twice', { input: `${signatureInput};keyid="k"` }, 'parameter_duplicate'],
  ['a parameter of a component twice', { input: edit('"x-two"', '"x-two";bs;bs') }, 'parameter_duplicate'],
  ['parameters in another order', { input: edit(/(;created=\d+)(;keyid="k")/, '$2$1') }, 'signature_invalid'],
  ['components in another order', { input: edit('"@method" "@target-uri"', '"@target-uri" "@method"') }, 'signature_invalid'],
  ['an unknown parameter of a component', { input: edit('"x-two"', '"x-two" "@method";zz') }, 'unsupported'],
  ['a label in Signature-Input only', { input: `${signatureInput}, b=()` }, 'label_unmatched'],
  ['a label in Signature only', { signature: `${signature}, b=:AA==:` }, 'label_unmatched'],
  ['other labels', { signature: signature.replace('sig1', 'sig2') }, 'label_unmatched'],
  [
    'several signatures, none named',
    { input: `${signatureInput}, b=()`, signature: `${signature}, b=:AA==:` },
    'signature_ambiguous',
  ],
  ['no Signature', { signature: [] }, 'signature_missing'],
  ['no Signature-Input', { input: [] }, 'signature_missing'],
  ['empty fields', { input: '', signature: '' }, 'signature_missing'],
  ['an item where an inner list belongs', { input: 'sig1="@method"' }, 'field_malformed'],
  ['a component that is a token', { input: edit('"@method"', 'method') }, 'field_malformed'],
  ['a signature that is a string', { signature: 'sig1="AA=="' }, 'field_malformed'],
  ['base64url', { signature: 'sig1=:-_-_:' }, 'field_malformed'],
  ['a list that does not end', { input: 'sig1=("@method"' }, 'field_malformed'],
  ['a comma at the end', { input: `${signatureInput},` }, 'field_malformed'],
  ['a line break in Signature-Input', { input: `${signatureInput}\n, b=()` }, 'character_invalid'],
  ['a carriage return', { input: `${signatureInput}\r` }, 'character_invalid'],
  ['non-ASCII in Signature-Input', { input: edit('keyid="k"', 'keyid="\u00e9"') }, 'character_invalid'],
  [
    'a line break in a covered field',
    {
      message: {
        headers: [
          ['Content-Type', 'a\nb'],
          ['X-Two', 'one'],
        ],
      },
    },
    'character_invalid',
  ],
  [
    'a NUL in a covered field',
    {
      message: {
        headers: [
          ['Content-Type', 'a\0b'],
          ['X-Two', 'one'],
        ],
      },
    },
    'character_invalid',
  ],
  [
    'non-ASCII in a covered field',
    {
      message: {
        headers: [
          ['Content-Type', '\u00e9'],
          ['X-Two', 'one'],
        ],
      },
    },
    'character_invalid',
  ],
  ['created as a string', { input: edit(/created=\d+/, `created="${created}"`) }, 'parameter_invalid'],
  ['created as a flag', { input: edit(/created=\d+/, 'created') }, 'parameter_invalid'],
  ['created as a decimal', { input: edit(String(created), `${created}.0`) }, 'unsupported'],
  ['keyid as a token', { input: edit('keyid="k"', 'keyid=k') }, 'parameter_invalid'],
  ['no created', { input: edit(/;created=\d+/, '') }, 'parameter_missing'],
  ['created too long ago', { input: edit(String(created), String(created - 351)) }, 'created_too_old'],
  ['created ahead', { input: edit(String(created), String(created + 71)) }, 'created_in_future'],
  ['expired', { input: `${signatureInput};expires=${created - 51}` }, 'signature_expired'],
  ['a component less', { input: edit(' "x-two"', '') }, 'component_uncovered'],
  ['a required component with req', { input: edit('"@method"', '"@method";req') }, 'component_uncovered'],
  ['a field that is not there', { message: { headers: [['Content-Type', 'application/json']] } }, 'component_missing'],
  ['another algorithm in alg', { input: edit(algorithm, 'ecdsa-p384-sha384') }, 'algorithm_mismatch'],
  ['an algorithm that nobody knows', { input: edit(algorithm, 'none') }, 'algorithm_mismatch'],
  ['an unknown key', { input: edit('keyid="k"', 'keyid="other"') }, 'key_unknown'],
  ['DER', { signature: `sig1=${asDer}` }, 'signature_malformed'],
  ['a truncated signature', { signature: signature.replace(/=:.{8}/, '=:') }, 'signature_malformed'],
  ['an empty signature', { signature: 'sig1=::' }, 'signature_malformed'],
  ['a signature of zeros', { signature: `sig1=:${btoa('\0'.repeat(64))}:` }, 'signature_invalid'],
  ['another method', { message: { method: 'PUT' } }, 'signature_invalid'],
  ['another method by case', { message: { method: 'post' } }, 'signature_invalid'],
  ['another target', { message: { url: 'https://example.com/foo?a=2' } }, 'signature_invalid'],
  [
    'lines of a field in another order',
    {
      message: {
        headers: [
          ['Content-Type', 'application/json'],
          ['X-Two', 'two'],
          ['X-Two', 'one'],
        ],
      },
    },
    'signature_invalid',
  ],
];

describe('refused:', () => {
  it.each(refused)('%s', async (_, change, code) => {
    await expect(verify(change)).rejects.toMatchObject({ name: 'SignatureError', code });
  });

  it('a named label that is not there', async () => {
    await expect(verify({}, 'sig2')).rejects.toMatchObject({ code: 'signature_missing' });
  });

  it('signing with an alg that is not the signer’s', async () => {
    const signing = signMessage(unsigned, { components, parameters: { alg: 'ed25519' }, signer });
    await expect(signing).rejects.toMatchObject({ code: 'algorithm_mismatch' });
  });
});

describe('bounds:', () => {
  it.each([
    ['50,000 labels', Array.from({ length: 50_000 }, (_, index) => `l${index}=()`).join(', ')],
    ['33 labels', Array.from({ length: 33 }, (_, index) => `l${index}=()`).join(', ')],
    ['65 components', `sig1=(${Array.from({ length: 65 }, (_, index) => `"x-${index}"`).join(' ')})`],
    ['a megabyte of spaces', `sig1=(${' '.repeat(1_000_000)})`],
    ['a megabyte of quotes that do not end', `sig1=("${'\\"'.repeat(500_000)}`],
  ])('%s are refused at once', async (_, input) => {
    const start = performance.now();
    await expect(verify({ input })).rejects.toMatchObject({ code: 'too_large' });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it.each([
    ['quotes', `sig1=("${'\\"'.repeat(8_000)}`],
    ['spaces in a covered field', `${' '.repeat(16_000)}x`],
    ['D', `sig1=();a=${'D'.repeat(16_000)}`],
    ['parameters', `sig1=()${';a'.repeat(8_000)}`],
  ])('16 KiB of %s are read in bounded time', async (_, text) => {
    const start = performance.now();
    await verify({ input: text, message: { headers: [['X-Two', `a${text}`]] } }).catch(() => {});
    await verify({
      message: {
        headers: [
          ['Content-Type', ''],
          ['X-Two', `a${text}b`],
        ],
      },
    }).catch(() => {});
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('64 members of a field of 16 KiB, each hard to read, are read in bounded time', () => {
    const hard = `${Array.from({ length: 700 }, (_, index) => `D${index}:, 1.0`).join(', ')}, ${'D'.repeat(4_000)}`;
    const members = Array.from({ length: 64 }, (_, index) => `k${index}`);
    const headers = [['x-hard', members.map((member) => `${member}=1.0`).join(', ')]] as [string, string][];
    const start = performance.now();
    createSignatureBase(
      { ...unsigned, headers: [...headers, ['x-list', hard]] },
      {
        components: [...members.map((key) => component('x-hard', { key })), component('x-list', { sf: true })],
        parameters: {},
        fieldTypes: { 'x-hard': 'dictionary', 'x-list': 'list' },
      },
    );
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('33 labels in Signature are refused', async () => {
    const value = Array.from({ length: 33 }, (_, index) => `l${index}=:AA==:`).join(', ');
    await expect(verify({ signature: value })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('a covered field of more than 64 KiB is refused', async () => {
    const headers: [string, string][] = [
      ['Content-Type', 'x'.repeat(70_000)],
      ['X-Two', 'one'],
    ];
    await expect(verify({ message: { headers } })).rejects.toMatchObject({ code: 'too_large' });
  });
});

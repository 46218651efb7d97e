// Invalid and hostile Signature-Input and Signature fields: each is refused with its code, in bounded time.
import { describe, expect, it } from 'vitest';
import {
  assertValidNow,
  component,
  createSignatureBase,
  parseSignatureInput,
  type RequestMessage,
  type SignatureErrorCode,
  signMessage,
  verifyMessage,
} from '../src/index.ts';
import { loadRfcKey } from './rfc-keys.ts';

const { signer, verifier } = await loadRfcKey('test-key-ecc-p256');
const { algorithm } = signer;
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
const { signatureInput, signature } = await signMessage(unsigned, {
  components,
  parameters: { created, keyid: 'k', alg: algorithm },
  signer,
});

type Change = { input?: string | string[]; signature?: string | string[]; message?: Partial<RequestMessage> };
const lines = (name: string, values: string | string[]) =>
  [values].flat().map((value) => [name, value] as [string, string]);
/** Changes the values of the two covered fields. */
const withFields = (contentType: string, ...xTwo: string[]): Change => ({
  message: { headers: [...lines('Content-Type', contentType), ...lines('X-Two', xTwo)] },
});

function verify(
  { input = signatureInput, signature: value = signature, message = {} }: Change,
  label?: string,
) {
  const changed = { ...unsigned, ...message };
  const headers = [
    ...(changed.headers as [string, string][]),
    ...lines('Signature-Input', input),
    ...lines('Signature', value),
  ];
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
const asDer =
  ':MEUCIQDEu3ZUAuwsUkZqW2hcZk3Cn4s9oBxVJ3xHjSx0sJq0ZgIgQjZ6yM5nqmNZ9nO8m6oxQvYcN4r9Yh5xkq0WmRrQ2mA=:';

it('accepts the signed message, also with more whitespace and joined lines', async () => {
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
    'a component twice, with its parameters in another order',
    { input: edit('"x-two"', '"x-two";sf;key="a" "x-two";key="a";sf') },
    'component_duplicate',
  ],
  ['a parameter twice', { input: `${signatureInput};keyid="k"` }, 'parameter_duplicate'],
  ['a parameter of a component twice', { input: edit('"x-two"', '"x-two";bs;bs') }, 'parameter_duplicate'],
  ['parameters in another order', { input: edit(/(;created=\d+)(;keyid="k")/, '$2$1') }, 'signature_invalid'],
  [
    'components in another order',
    { input: edit('"@method" "@target-uri"', '"@target-uri" "@method"') },
    'signature_invalid',
  ],
  ['an unknown parameter of a component', { input: edit('"x-two"', '"x-two" "@method";zz') }, 'unsupported'],
  ['a label in Signature-Input only', { input: `${signatureInput}, b=()` }, 'label_unmatched'],
  ['a label in Signature only', { signature: `${signature}, b=:AA==:` }, 'label_unmatched'],
  ['different labels', { signature: signature.replace('sig1', 'sig2') }, 'label_unmatched'],
  [
    'several signatures and no label option',
    { input: `${signatureInput}, b=()`, signature: `${signature}, b=:AA==:` },
    'signature_ambiguous',
  ],
  ['no Signature', { signature: [] }, 'signature_missing'],
  ['no Signature-Input', { input: [] }, 'signature_missing'],
  ['empty fields', { input: '', signature: '' }, 'signature_missing'],
  ['an item where an inner list belongs', { input: 'sig1="@method"' }, 'field_malformed'],
  ['a component that is a token', { input: edit('"@method"', 'method') }, 'field_malformed'],
  ['a signature that is a string', { signature: 'sig1="AA=="' }, 'field_malformed'],
  ['a signature in base64url', { signature: 'sig1=:-_-_:' }, 'field_malformed'],
  ['an unterminated list', { input: 'sig1=("@method"' }, 'field_malformed'],
  ['a trailing comma', { input: `${signatureInput},` }, 'field_malformed'],
  ['a line break in Signature-Input', { input: `${signatureInput}\n, b=()` }, 'character_invalid'],
  ['a carriage return', { input: `${signatureInput}\r` }, 'character_invalid'],
  ['non-ASCII in Signature-Input', { input: edit('keyid="k"', 'keyid="\u00e9"') }, 'character_invalid'],
  ['a line break in a covered field', withFields('a\nb', 'one'), 'character_invalid'],
  ['a NUL in a covered field', withFields('a\0b', 'one'), 'character_invalid'],
  ['non-ASCII in a covered field', withFields('\u00e9', 'one'), 'character_invalid'],
  ['created as a string', { input: edit(/created=\d+/, `created="${created}"`) }, 'parameter_invalid'],
  ['created as a flag', { input: edit(/created=\d+/, 'created') }, 'parameter_invalid'],
  ['created as a decimal', { input: edit(String(created), `${created}.0`) }, 'unsupported'],
  ['keyid as a token', { input: edit('keyid="k"', 'keyid=k') }, 'parameter_invalid'],
  ['no created', { input: edit(/;created=\d+/, '') }, 'parameter_missing'],
  ['created too long ago', { input: edit(String(created), String(created - 351)) }, 'created_too_old'],
  ['created in the future', { input: edit(String(created), String(created + 71)) }, 'created_in_future'],
  ['expired', { input: `${signatureInput};expires=${created - 51}` }, 'signature_expired'],
  ['a required component that is not covered', { input: edit(' "x-two"', '') }, 'component_uncovered'],
  ['a required component with req', { input: edit('"@method"', '"@method";req') }, 'component_uncovered'],
  ['a missing field', withFields('application/json'), 'component_missing'],
  ['another algorithm in alg', { input: edit(algorithm, 'ecdsa-p384-sha384') }, 'algorithm_mismatch'],
  ['an unknown algorithm in alg', { input: edit(algorithm, 'none') }, 'algorithm_mismatch'],
  ['an unknown keyid', { input: edit('keyid="k"', 'keyid="other"') }, 'key_unknown'],
  ['a DER signature', { signature: `sig1=${asDer}` }, 'signature_malformed'],
  ['a truncated signature', { signature: signature.replace(/=:.{8}/, '=:') }, 'signature_malformed'],
  ['an empty signature', { signature: 'sig1=::' }, 'signature_malformed'],
  ['a signature of zeros', { signature: `sig1=:${btoa('\0'.repeat(64))}:` }, 'signature_invalid'],
  ['another method', { message: { method: 'PUT' } }, 'signature_invalid'],
  ['the method in lower case', { message: { method: 'post' } }, 'signature_invalid'],
  ['another target', { message: { url: 'https://example.com/foo?a=2' } }, 'signature_invalid'],
  ['lines of a field in another order', withFields('application/json', 'two', 'one'), 'signature_invalid'],
];

describe('refuses', () => {
  it.each(refused)('%s', async (_, change, code) => {
    await expect(verify(change)).rejects.toMatchObject({ name: 'SignatureError', code });
  });

  it('a label option that no signature has', async () => {
    await expect(verify({}, 'sig2')).rejects.toMatchObject({ code: 'signature_missing' });
  });

  it('signing with an alg other than the signer’s', async () => {
    const signing = signMessage(unsigned, { components, parameters: { alg: 'ed25519' }, signer });
    await expect(signing).rejects.toMatchObject({ code: 'algorithm_mismatch' });
  });
});

it('accepts a signature at both limits of its interval', () => {
  const validity = { maxAgeSeconds: 300, clockSkewSeconds: 60, now: () => (created + 10) * 1_000 + 999 };
  for (const parameters of [{ created: created - 350 }, { created: created + 70 }, { expires: created - 50 }])
    assertValidNow({ created, ...parameters }, validity);
});

/** Of this process since then. A busy machine adds nothing to it. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

describe('limits', () => {
  it.each([
    ['50,000 labels', Array.from({ length: 50_000 }, (_, index) => `l${index}=()`).join(', ')],
    ['33 labels', Array.from({ length: 33 }, (_, index) => `l${index}=()`).join(', ')],
    ['65 components', `sig1=(${Array.from({ length: 65 }, (_, index) => `"x-${index}"`).join(' ')})`],
    ['a megabyte of spaces', `sig1=(${' '.repeat(1_000_000)})`],
    ['a megabyte of unterminated quotes', `sig1=("${'\\"'.repeat(500_000)}`],
  ])('refuses %s at once', async (_, input) => {
    const start = process.cpuUsage();
    await expect(verify({ input })).rejects.toMatchObject({ code: 'too_large' });
    expect(cpuMs(start)).toBeLessThan(1_000);
  });

  it.each([
    ['quotes', `sig1=("${'\\"'.repeat(8_000)}`],
    ['spaces in a covered field', `${' '.repeat(16_000)}x`],
    ['D', `sig1=();a=${'D'.repeat(16_000)}`],
    ['parameters', `sig1=()${';a'.repeat(8_000)}`],
  ])('reads 16 KiB of %s in bounded time', async (_, text) => {
    const start = process.cpuUsage();
    await verify({ input: text, message: { headers: [['X-Two', `a${text}`]] } }).catch(() => {});
    await verify(withFields('', `a${text}b`)).catch(() => {});
    expect(cpuMs(start)).toBeLessThan(1_000);
  });

  it('reads 64 members of a 16 KiB field in bounded time', () => {
    const list = `${Array.from({ length: 700 }, (_, index) => `D${index}:, 1.0`).join(', ')}, ${'D'.repeat(4_000)}`;
    const members = Array.from({ length: 64 }, (_, index) => `k${index}`);
    const headers = [['x-dict', members.map((member) => `${member}=1.0`).join(', ')]] as [string, string][];
    const start = process.cpuUsage();
    createSignatureBase(
      { ...unsigned, headers: [...headers, ['x-list', list]] },
      {
        components: [
          ...members.map((key) => component('x-dict', { key })),
          component('x-list', { sf: true }),
        ],
        parameters: {},
        fieldTypes: { 'x-dict': 'dictionary', 'x-list': 'list' },
      },
    );
    expect(cpuMs(start)).toBeLessThan(1_000);
  });

  it('refuses 33 labels in Signature', async () => {
    const value = Array.from({ length: 33 }, (_, index) => `l${index}=:AA==:`).join(', ');
    await expect(verify({ signature: value })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('takes as much as it promises: 64 components, 16 KiB, and 64 KiB of a covered field', async () => {
    const [names, long] = [Array.from({ length: 64 }, (_, at) => `"x-${at}"`).join(' '), 'x'.repeat(65_536)];
    expect(parseSignatureInput(`a=(${names})`.padEnd(16_384)).get('a')?.components).toHaveLength(64);
    expect(() => parseSignatureInput(`a=(${names})`.padEnd(16_385))).toThrow('at most 16384 characters');
    await expect(verify(withFields(long, 'one'))).rejects.toMatchObject({ code: 'signature_invalid' });
    await expect(verify(withFields(`${long}x`, 'one'))).rejects.toMatchObject({ code: 'too_large' });
  });
});

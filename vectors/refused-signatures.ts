// The requests that a receiver must refuse for their signature, what it covers, or how its fields are written.
import {
  algParameter,
  createdParameter,
  half,
  join,
  keyidParameter,
  parameters,
  refuse,
  replaced,
  withBytes,
  withHeader,
  withInput,
  without,
  withSignature,
} from './edits.ts';
import { type Case, covered, kid, makeRequest, orderBytes, type SignedRequest, toDer, url } from './request.ts';

export function refusedSignatures(): Case[] {
  return [...ofSignatures(), ...ofComponents(), ...ofParameters(), ...ofFields()];
}

function ofSignatures(): Case[] {
  const malformed = (name: string, request: SignedRequest) => refuse('requirements', 'signature_malformed', name, request);
  const invalid = (name: string, request: SignedRequest) => refuse('verify', 'signature_invalid', name, request);
  const flip = (offset: number) => (signature: Uint8Array) =>
    signature.map((byte, index) => (index === offset ? byte ^ 1 : byte));
  return [
    malformed('DER', makeRequest({ encode: toDer })),
    malformed('95 bytes', makeRequest({ encode: (signature) => signature.subarray(0, 95) })),
    malformed('97 bytes', makeRequest({ encode: (signature) => Uint8Array.from([...signature, 0]) })),
    malformed('a zero byte before', makeRequest({ encode: (signature) => Uint8Array.from([0, ...signature]) })),
    malformed('a signature of P-256', makeRequest({ key: 'p256', keyid: kid('active') })),
    malformed(
      'no bytes',
      withSignature(() => 'sig1=::'),
    ),
    invalid('r and s are zero', withBytes(join(half(0), half(0)))),
    invalid(
      'r and s are one',
      withBytes(join(Uint8Array.from([...half(0).subarray(1), 1]), Uint8Array.from([...half(0).subarray(1), 1]))),
    ),
    invalid('r is the order of the curve', withBytes(join(orderBytes(), half(1)))),
    invalid('s is the order of the curve', makeRequest({ encode: (signature) => join(signature.subarray(0, 48), orderBytes()) })),
    invalid('all bits set', withBytes(join(half(255), half(255)))),
    invalid('a bit of r changed', makeRequest({ encode: flip(0) })),
    invalid('a bit of s changed', makeRequest({ encode: flip(95) })),
    invalid('r and s exchanged', makeRequest({ encode: (signature) => join(signature.subarray(48), signature.subarray(0, 48)) })),
    invalid(
      'the signature of another request',
      withSignature(() => makeRequest({ id: 'evt_other' }).headers.at(-1)?.[1] ?? ''),
    ),
    refuse('parse', 'field_malformed', 'base64url', withBase64url()),
    refuse(
      'parse',
      'field_malformed',
      'the signature as a string',
      withSignature((value) => value.replaceAll(':', '"')),
    ),
    refuse(
      'parse',
      'field_malformed',
      'a signature without colons',
      withSignature((value) => value.replaceAll(':', '')),
    ),
    invalid('a line break after the signature base', makeRequest({ editBase: (base) => `${base}\n` })),
    invalid('CRLF in the signature base', makeRequest({ editBase: (base) => base.replaceAll('\n', '\r\n') })),
    invalid(
      'no signature parameters in the signature base',
      makeRequest({ editBase: (base) => base.replace(/\n"@signature-params".*$/, '') }),
    ),
    invalid(
      'the label in the signature base',
      makeRequest({ editBase: (base) => base.replace('"@signature-params": ', '"@signature-params": sig1=') }),
    ),
    invalid(
      'names without quotes in the signature base',
      makeRequest({ editBase: (base) => base.replaceAll(/^"(.*?)":/gm, '$1:') }),
    ),
    invalid('the path signed as target URI', makeRequest({ editBase: (base) => base.replace(url, '/concord') })),
  ];
}

/** A signature that has both characters in which the alphabets differ. */
function withBase64url(): SignedRequest {
  return withSignature((value) => {
    if (!value.includes('+') && !value.includes('/'))
      throw new Error('This signature is the same in base64url: choose another id');
    return value.replaceAll('+', '-').replaceAll('/', '_');
  });
}

function ofComponents(): Case[] {
  const uncovered = (name: string, request: SignedRequest) => refuse('requirements', 'component_uncovered', name, request);
  return [
    ...['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'].map((name) =>
      uncovered(`${name} is not covered`, without(name)),
    ),
    uncovered('nothing is covered', makeRequest({ components: [] })),
    uncovered('@method with req', replaced('@method', '"@method";req')),
    uncovered('content-digest with sf', replaced('content-digest', '"content-digest";sf')),
    uncovered('content-type in upper case', replaced('content-type', '"Content-Type"')),
    uncovered('@path instead of @target-uri', replaced('@target-uri', '"@path"')),
    refuse('parse', 'component_duplicate', 'a component twice', makeRequest({ components: [...covered, '"@method"'] })),
    refuse(
      'parse',
      'component_duplicate',
      'a component twice, its parameters in another order',
      makeRequest({ components: [...covered, '"x";sf;req', '"x";req;sf'] }),
    ),
    refuse('parse', 'field_malformed', 'a component as a token', replaced('content-type', 'content-type')),
    refuse(
      'rebuild',
      'unsupported',
      'an unknown parameter of a component',
      makeRequest({ components: [...covered, '"@method";zz'] }),
    ),
    refuse('rebuild', 'unsupported', 'an unknown derived component', makeRequest({ components: [...covered, '"@unknown"'] })),
    refuse('rebuild', 'component_invalid', '@status in a request', makeRequest({ components: [...covered, '"@status"'] })),
    refuse(
      'rebuild',
      'component_invalid',
      '@signature-params is covered',
      makeRequest({ components: [...covered, '"@signature-params"'] }),
    ),
    refuse(
      'rebuild',
      'component_missing',
      'a covered header is not there',
      makeRequest({ components: [...covered, '"x-none"'] }),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'components changed in order',
      withInput((value) => value.replace('"@method" "@target-uri"', '"@target-uri" "@method"')),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'a component added',
      withInput((value) => value.replace(')', ' "webhook-attempt")')),
    ),
  ];
}

function ofParameters(): Case[] {
  return [
    refuse(
      'parse',
      'parameter_duplicate',
      'keyid twice',
      parameters(createdParameter, 'keyid="unknown"', keyidParameter, algParameter),
    ),
    refuse(
      'parse',
      'parameter_duplicate',
      'created twice',
      parameters('created=1', createdParameter, keyidParameter, algParameter),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'parameters changed in order',
      withInput((value) => value.replace(`;${keyidParameter};${algParameter}`, `;${algParameter};${keyidParameter}`)),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'a parameter added',
      withInput((value) => `${value};nonce="a"`),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'a parameter taken away',
      withInput((value) => value.replace(';tag="a"', ''), {
        parameters: [createdParameter, keyidParameter, algParameter, 'tag="a"'],
      }),
    ),
  ];
}

function ofFields(): Case[] {
  const other = makeRequest({ label: 'other' }).headers;
  const beside = (header: string) => other.find(([name]) => name === header)?.[1] ?? '';
  const both = makeRequest();
  const names = ['Signature-Input', 'Signature'];
  return [
    refuse(
      'parse',
      'signature_missing',
      'no Signature',
      withSignature(() => []),
    ),
    refuse(
      'parse',
      'signature_missing',
      'no Signature-Input',
      withInput(() => []),
    ),
    refuse('requirements', 'signature_missing', 'both are empty', {
      ...both,
      headers: both.headers.map(([name, value]) => [name, names.includes(name) ? '' : value]),
    }),
    refuse(
      'parse',
      'label_unmatched',
      'a label in Signature-Input only',
      withInput((value) => [value, 'b=()']),
    ),
    refuse(
      'parse',
      'label_unmatched',
      'a label in Signature only',
      withSignature((value) => [value, 'b=:AA==:']),
    ),
    refuse(
      'parse',
      'label_unmatched',
      'different labels',
      withSignature((value) => value.replace('sig1', 'sig2')),
    ),
    refuse(
      'parse',
      'label_unmatched',
      'labels that differ by an added letter',
      withSignature((value) => value.replace('sig1', 'sig1a')),
    ),
    refuse(
      'parse',
      'field_malformed',
      'a label in upper case',
      withInput((value) => value.replace('sig1', 'SIG1')),
    ),
    refuse(
      'parse',
      'label_duplicate',
      'a label twice in one line',
      withInput((value) => `${value}, ${value}`),
    ),
    refuse(
      'parse',
      'label_duplicate',
      'a label twice in two lines',
      withInput((value) => [value.replace(kid('active'), 'unknown'), value]),
    ),
    refuse(
      'parse',
      'label_duplicate',
      'a label twice in Signature',
      withSignature((value) => ['sig1=:AA==:', value]),
    ),
    refuse('requirements', 'signature_ambiguous', 'two signatures that could be the sender’s', {
      ...both,
      headers: [...both.headers, ['Signature-Input', beside('Signature-Input')], ['Signature', beside('Signature')]],
    }),
    refuse(
      'parse',
      'field_malformed',
      'a list that does not end',
      withInput((value) => value.replace(')', '')),
    ),
    refuse(
      'parse',
      'field_malformed',
      'a comma at the end',
      withInput((value) => `${value},`),
    ),
    refuse(
      'parse',
      'field_malformed',
      'an item where a list belongs',
      withInput(() => 'sig1="@method"'),
    ),
    refuse(
      'parse',
      'too_large',
      '40 signatures',
      withInput((value) => [value, Array.from({ length: 40 }, (_, index) => `l${index}=()`).join(', ')]),
    ),
    refuse(
      'parse',
      'too_large',
      'Signature-Input of 20 kB',
      withInput((value) => `${value};tag="${'x'.repeat(20_000)}"`),
    ),
    refuse(
      'request',
      'character_invalid',
      'a folded line',
      withInput((value) => value.replace(' "@target-uri"', '\r\n "@target-uri"')),
    ),
    refuse(
      'request',
      'character_invalid',
      'a line break in a covered header',
      withHeader('Content-Type', () => 'application/json\nx: y'),
    ),
    refuse(
      'request',
      'character_invalid',
      'NUL in a header',
      withHeader('Webhook-Id', (value) => `${value}\0`),
    ),
    refuse(
      'rebuild',
      'character_invalid',
      'a character beyond ASCII in a covered header',
      withHeader('Webhook-Id', (value) => `${value}\u00e9`),
    ),
    refuse(
      'parse',
      'character_invalid',
      'a character beyond ASCII in Signature-Input',
      withInput((value) => value.replace('keyid="', 'keyid="\u00e9')),
    ),
  ];
}

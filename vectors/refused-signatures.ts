// The vectors that a receiver must refuse for their signature, its components or parameters, or the syntax of
// its fields.
import {
  algParameter,
  createdParameter,
  half,
  input,
  invalid,
  join,
  keyidParameter,
  readHeader,
  refuseWith,
  replaceComponent,
  signature,
  withBytes,
  withComponents,
  withHeader,
  withInput,
  withoutComponent,
  withParameters,
  withSignature,
} from './edits.ts';
import { type Case, kid, makeRequest, orderBytes, type SignedRequest, toDer, url } from './request.ts';

const malformedField = refuseWith('parse', 'field_malformed');
const unmatched = refuseWith('parse', 'label_unmatched');
const duplicateLabel = refuseWith('parse', 'label_duplicate');
const tooLarge = refuseWith('parse', 'too_large');
const missingField = refuseWith('parse', 'signature_missing');
const duplicateComponent = refuseWith('parse', 'component_duplicate');
const unsupported = refuseWith('rebuild', 'unsupported');
const uncoverable = refuseWith('rebuild', 'component_invalid');
const duplicateParameter = refuseWith('parse', 'parameter_duplicate');
const wrongCharacter = refuseWith('request', 'character_invalid');

export function refusedSignatures(): Case[] {
  return [...signatureCases(), ...componentCases(), ...parameterCases(), ...fieldCases()];
}

function signatureCases(): Case[] {
  const malformed = refuseWith('requirements', 'signature_malformed');
  const one = half(0).with(47, 1);
  const flip = (offset: number) => (bytes: Uint8Array) =>
    bytes.map((byte, index) => (index === offset ? byte ^ 1 : byte));
  return [
    malformed('a DER signature', makeRequest({ encode: toDer })),
    malformed('a signature of 95 bytes', makeRequest({ encode: (bytes) => bytes.subarray(0, 95) })),
    malformed('a signature of 97 bytes', makeRequest({ encode: (bytes) => Uint8Array.from([...bytes, 0]) })),
    malformed(
      'a zero byte before the signature',
      makeRequest({ encode: (bytes) => Uint8Array.from([0, ...bytes]) }),
    ),
    malformed('a signature of P-256', makeRequest({ key: 'p256', keyid: kid('active') })),
    malformed('an empty signature', withSignature('sig1=::')),
    invalid('r and s are zero', withBytes(join(half(0), half(0)))),
    invalid('r and s are one', withBytes(join(one, one))),
    invalid('r is the order of the curve', withBytes(join(orderBytes(), half(1)))),
    invalid(
      's is the order of the curve',
      makeRequest({ encode: (bytes) => join(bytes.subarray(0, 48), orderBytes()) }),
    ),
    invalid('all bits are set', withBytes(join(half(255), half(255)))),
    invalid('a bit of r changed', makeRequest({ encode: flip(0) })),
    invalid('a bit of s changed', makeRequest({ encode: flip(95) })),
    invalid(
      'r and s are swapped',
      makeRequest({ encode: (bytes) => join(bytes.subarray(48), bytes.subarray(0, 48)) }),
    ),
    invalid(
      'the signature of another request',
      withSignature(readHeader(makeRequest({ id: 'evt_other' }), 'Signature')),
    ),
    malformedField('a signature in base64url', withBase64url()),
    malformedField('a signature as a string', withSignature(signature.replaceAll(':', '"'))),
    malformedField('a signature without colons', withSignature(signature.replaceAll(':', ''))),
    invalid('a line break after the signature base', makeRequest({ editBase: (base) => `${base}\n` })),
    invalid('CRLF in the signature base', makeRequest({ editBase: (base) => base.replaceAll('\n', '\r\n') })),
    invalid(
      'no signature parameters in the signature base',
      makeRequest({ editBase: (base) => base.replace(/\n"@signature-params".*$/, '') }),
    ),
    invalid(
      'the label in the signature base',
      makeRequest({
        editBase: (base) => base.replace('"@signature-params": ', '"@signature-params": sig1='),
      }),
    ),
    invalid(
      'names without quotes in the signature base',
      makeRequest({ editBase: (base) => base.replaceAll(/^"(.*?)":/gm, '$1:') }),
    ),
    invalid(
      'the path is signed as the target URI',
      makeRequest({ editBase: (base) => base.replace(url, '/concord') }),
    ),
  ];
}

function withBase64url(): SignedRequest {
  const encoded = signature.replaceAll('+', '-').replaceAll('/', '_');
  if (encoded === signature) throw new Error('The signature must differ in base64url: choose another id');
  return withSignature(encoded);
}

function componentCases(): Case[] {
  const uncovered = refuseWith('requirements', 'component_uncovered');
  return [
    ...['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'].map((name) =>
      uncovered(`${name} is not covered`, withoutComponent(name)),
    ),
    uncovered('nothing is covered', makeRequest({ components: [] })),
    uncovered('@method with req', replaceComponent('@method', '"@method";req')),
    uncovered('content-digest with sf', replaceComponent('content-digest', '"content-digest";sf')),
    uncovered('content-type in upper case', replaceComponent('content-type', '"Content-Type"')),
    uncovered('@path instead of @target-uri', replaceComponent('@target-uri', '"@path"')),
    duplicateComponent('a component twice', withComponents('"@method"')),
    duplicateComponent(
      'a component twice, with its parameters in another order',
      withComponents('"x";sf;req', '"x";req;sf'),
    ),
    malformedField('a component as a token', replaceComponent('content-type', 'content-type')),
    unsupported('an unknown parameter of a component', withComponents('"@method";zz')),
    unsupported('an unknown derived component', withComponents('"@unknown"')),
    uncoverable('@status in a request', withComponents('"@status"')),
    uncoverable('@signature-params is covered', withComponents('"@signature-params"')),
    refuseWith('rebuild', 'component_missing')('a covered header is missing', withComponents('"x-none"')),
    invalid(
      'components are reordered after signing',
      withInput(input.replace('"@method" "@target-uri"', '"@target-uri" "@method"')),
    ),
    invalid('a component is added after signing', withInput(input.replace(')', ' "webhook-attempt")'))),
  ];
}

function parameterCases(): Case[] {
  return [
    duplicateParameter(
      'keyid twice',
      withParameters(createdParameter, 'keyid="unknown"', keyidParameter, algParameter),
    ),
    duplicateParameter(
      'created twice',
      withParameters('created=1', createdParameter, keyidParameter, algParameter),
    ),
    invalid(
      'parameters are reordered after signing',
      withInput(input.replace(`;${algParameter};${keyidParameter}`, `;${keyidParameter};${algParameter}`)),
    ),
    invalid('a parameter is added after signing', withInput(`${input};nonce="a"`)),
    invalid(
      'a parameter is removed after signing',
      withInput(input, { parameters: [createdParameter, keyidParameter, algParameter, 'tag="a"'] }),
    ),
  ];
}

function fieldCases(): Case[] {
  const request = makeRequest();
  const id = readHeader(request, 'Webhook-Id');
  return [
    missingField('no Signature', withSignature([])),
    missingField('no Signature-Input', withInput([])),
    refuseWith('requirements', 'signature_missing')('both signature fields are empty', {
      ...request,
      headers: request.headers.map(([name, value]) => [name, name.startsWith('Signature') ? '' : value]),
    }),
    unmatched('a label in Signature-Input only', withInput([input, 'b=()'])),
    unmatched('a label in Signature only', withSignature([signature, 'b=:AA==:'])),
    unmatched('different labels', withSignature(signature.replace('sig1', 'sig2'))),
    unmatched('labels that differ by an added letter', withSignature(signature.replace('sig1', 'sig1a'))),
    malformedField('a label in upper case', withInput(input.replace('sig1', 'SIG1'))),
    duplicateLabel('a label twice in one line', withInput(`${input}, ${input}`)),
    duplicateLabel('a label twice in two lines', withInput([input.replace(kid('active'), 'unknown'), input])),
    duplicateLabel('a label twice in Signature', withSignature(['sig1=:AA==:', signature])),
    malformedField('an unterminated list', withInput(input.replace(')', ''))),
    malformedField('a trailing comma', withInput(`${input},`)),
    malformedField('an item where a list belongs', withInput('sig1="@method"')),
    tooLarge(
      '40 signatures',
      withInput([input, Array.from({ length: 40 }, (_, index) => `l${index}=()`).join(', ')]),
    ),
    tooLarge('Signature-Input of 20 kB', withInput(`${input};tag="${'x'.repeat(20_000)}"`)),
    wrongCharacter('a folded line', withInput(input.replace(' "@target-uri"', '\r\n "@target-uri"'))),
    wrongCharacter('a line break in a covered header', withHeader('Content-Type', 'application/json\nx: y')),
    wrongCharacter('NUL in a header', withHeader('Webhook-Id', `${id}\0`)),
    refuseWith('rebuild', 'character_invalid')(
      'a non-ASCII character in a covered header',
      withHeader('Webhook-Id', `${id}\u00e9`),
    ),
    refuseWith('parse', 'character_invalid')(
      'a non-ASCII character in Signature-Input',
      withInput(input.replace('keyid="', 'keyid="\u00e9')),
    ),
  ];
}

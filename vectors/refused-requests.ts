// The vectors that a receiver must refuse for their content, target, time or key.
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
  sentTo,
  withHeader,
  withInput,
  withParameters,
} from './edits.ts';
import { algorithm, type Case, created, digest, kid, makeRequest, otherPartnerId, url } from './request.ts';

const mismatch = refuseWith('digest', 'digest_mismatch');
const missing = refuseWith('rebuild', 'component_missing');
const noEvent = refuseWith('event', 'event_invalid');
const wrongType = refuseWith('requirements', 'parameter_invalid');
const absent = refuseWith('requirements', 'parameter_missing');
const unknownKey = refuseWith('find_key', 'key_unknown');
const wrongAlgorithm = refuseWith('requirements', 'algorithm_mismatch');
const inFuture = refuseWith('requirements', 'created_in_future');
const tooOld = refuseWith('requirements', 'created_too_old');

export function refusedRequests(): Case[] {
  return [...contentCases(), ...targetCases(), ...timeCases(), ...keyCases()];
}

function contentCases(): Case[] {
  const request = makeRequest();
  const other = request.body.replace('12', '13');
  return [
    mismatch('another body', { ...request, body: other }),
    mismatch('a line break after the body', { ...request, body: `${request.body}\n` }),
    mismatch('an empty body', { ...request, body: '' }),
    mismatch('the same JSON, reformatted', {
      ...request,
      body: JSON.stringify(JSON.parse(request.body), null, 2),
    }),
    invalid('another body with its digest', { ...withHeader('Content-Digest', digest(other)), body: other }),
    mismatch(
      'a wrong sha-512 beside a correct sha-256',
      makeRequest({ contentDigest: `${digest(request.body)}, ${digest(other, 'sha-512')}` }),
    ),
    refuseWith('digest', 'unsupported')(
      'no known digest algorithm',
      makeRequest({ contentDigest: 'crc32c=:AAAAAA==:' }),
    ),
    refuseWith('digest', 'field_malformed')(
      'a digest in hexadecimal',
      makeRequest({ contentDigest: 'sha-256=00ff' }),
    ),
    refuseWith('digest', 'label_duplicate')(
      'sha-256 twice',
      makeRequest({ contentDigest: `${digest(other)}, ${digest(request.body)}` }),
    ),
    missing('no Content-Digest', withHeader('Content-Digest', [])),
    invalid('another Webhook-Id', withHeader('Webhook-Id', 'evt_other')),
    invalid(
      'a second Webhook-Id',
      withHeader('Webhook-Id', [readHeader(request, 'Webhook-Id'), 'evt_other']),
    ),
    missing('no Webhook-Id', withHeader('Webhook-Id', [])),
    invalid('another Content-Type', withHeader('Content-Type', 'text/plain')),
    missing('no Content-Type', withHeader('Content-Type', [])),
    noEvent('a signed body that is not JSON', makeRequest({ body: 'hello' })),
    noEvent('a signed body that is not an event', makeRequest({ body: '[1]' })),
    noEvent(
      'a signed body without a partner',
      makeRequest({ body: '{"id":"evt_6","type":"inventory.updated","data":{}}' }),
    ),
    refuseWith('partner', 'partner_mismatch')(
      'an event of another partner, who registered this URL',
      makeRequest({ partner: otherPartnerId }),
    ),
  ];
}

function targetCases(): Case[] {
  return [
    invalid('another method', { ...makeRequest(), method: 'PUT' }),
    invalid('the method in lower case', { ...makeRequest(), method: 'post' }),
    invalid('signed for another host', sentTo(url, 'https://other.example.com/concord')),
    invalid('signed for another path', sentTo(url, `${url}/other`)),
    invalid('signed without the trailing slash', sentTo(`${url}/`)),
    invalid('signed for another query', sentTo(`${url}?tenant=7`, `${url}?tenant=8`)),
    invalid('signed without the query', sentTo(`${url}?tenant=7`)),
    invalid('signed for http', sentTo(url, url.replace('https', 'http'))),
    invalid('signed for another port', sentTo('https://hooks.example.com:8443/concord')),
    invalid(
      'signed for the path in another encoding',
      sentTo('https://hooks.example.com/a%2fb', 'https://hooks.example.com/a%2Fb'),
    ),
  ];
}

function timeCases(): Case[] {
  const request = makeRequest();
  return [
    tooOld('created 301 s ago', request, { now: created + 301 }),
    tooOld('created a year ago', request, { now: created + 31_536_000 }),
    inFuture('created 301 s ahead', request, { now: created - 301 }),
    inFuture('created in milliseconds', makeRequest({ createdAt: created * 1_000 })),
    invalid(
      'created changed to a later second',
      withInput(input.replace(String(created), String(created + 1))),
    ),
    refuseWith('requirements', 'signature_expired')(
      'expired',
      withParameters(createdParameter, keyidParameter, algParameter, `expires=${created - 300}`),
    ),
    absent('no created', withParameters(keyidParameter, algParameter)),
    wrongType('created as a string', withParameters(`created="${created}"`, keyidParameter, algParameter)),
    refuseWith('parse', 'unsupported')(
      'created as a decimal',
      withParameters(`created=${created}.0`, keyidParameter, algParameter),
    ),
    wrongType('created as a flag', withParameters('created', keyidParameter, algParameter)),
  ];
}

function keyCases(): Case[] {
  return [
    unknownKey('an unknown kid', makeRequest({ keyid: 'unknown' })),
    unknownKey('a retired key, no longer published', makeRequest({ key: 'removed' })),
    unknownKey('a sandbox key on live', makeRequest({ key: 'sandbox', environment: 'sandbox' })),
    unknownKey('a live key on sandbox', makeRequest(), { jwks: 'sandbox' }),
    unknownKey('an empty kid', makeRequest({ keyid: '' })),
    unknownKey(
      'the kid of a key on P-256',
      makeRequest({ key: 'p256', encode: () => join(half(1), half(1)) }),
    ),
    unknownKey('the kid of an RSA key', makeRequest({ keyid: 'rsa' })),
    unknownKey('the position of the key as kid', makeRequest({ keyid: '3' })),
    invalid('the kid of another published key', makeRequest({ key: 'successor', keyid: kid('active') })),
    absent('no keyid', withParameters(createdParameter, algParameter)),
    wrongType('keyid as a token', withParameters(createdParameter, 'keyid=k', algParameter)),
    absent('no alg', withParameters(createdParameter, keyidParameter)),
    wrongAlgorithm(
      'the alg of another curve',
      withParameters(createdParameter, keyidParameter, 'alg="ecdsa-p256-sha256"'),
    ),
    wrongAlgorithm(
      'the alg of an HMAC key',
      withParameters(createdParameter, keyidParameter, 'alg="hmac-sha256"'),
    ),
    wrongAlgorithm(
      'alg in upper case',
      withParameters(createdParameter, keyidParameter, `alg="${algorithm.toUpperCase()}"`),
    ),
    wrongAlgorithm('alg none', withParameters(createdParameter, keyidParameter, 'alg="none"')),
    wrongType('alg as a token', withParameters(createdParameter, keyidParameter, `alg=${algorithm}`)),
  ];
}

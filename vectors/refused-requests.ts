// The requests that a receiver must refuse for their content, target, time or key.
import {
  algParameter,
  at,
  createdParameter,
  half,
  join,
  keyidParameter,
  parameters,
  refuse,
  withHeader,
  withInput,
} from './edits.ts';
import { algorithm, type Case, created, digest, kid, makeRequest, type SignedRequest, url } from './request.ts';

export function refusedRequests(): Case[] {
  return [...ofContent(), ...ofTarget(), ...ofTime(), ...ofKeys()];
}

function ofContent(): Case[] {
  const request = makeRequest();
  const other = request.body.replace('12', '13');
  return [
    refuse('digest', 'digest_mismatch', 'another body', { ...request, body: other }),
    refuse('digest', 'digest_mismatch', 'a line break after the body', { ...request, body: `${request.body}\n` }),
    refuse('digest', 'digest_mismatch', 'an empty body', { ...request, body: '' }),
    refuse('digest', 'digest_mismatch', 'the same JSON, written again', {
      ...request,
      body: JSON.stringify(JSON.parse(request.body), null, 2),
    }),
    refuse('verify', 'signature_invalid', 'another body with its digest', {
      ...withHeader('Content-Digest', () => digest(other)),
      body: other,
    }),
    refuse(
      'digest',
      'digest_mismatch',
      'a wrong sha-512 beside a right sha-256',
      makeRequest({ contentDigest: `${digest(request.body)}, ${digest(other, 'sha-512')}` }),
    ),
    refuse('digest', 'unsupported', 'no digest that is known', makeRequest({ contentDigest: 'crc32c=:AAAAAA==:' })),
    refuse('digest', 'field_malformed', 'a digest in hexadecimal', makeRequest({ contentDigest: 'sha-256=00ff' })),
    refuse(
      'digest',
      'label_duplicate',
      'sha-256 twice',
      makeRequest({ contentDigest: `${digest(other)}, ${digest(request.body)}` }),
    ),
    refuse(
      'rebuild',
      'component_missing',
      'no Content-Digest',
      withHeader('Content-Digest', () => []),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'an old body as a new event: another Webhook-Id',
      withHeader('Webhook-Id', () => 'evt_other'),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'a second Webhook-Id',
      withHeader('Webhook-Id', (value) => [value, 'evt_other']),
    ),
    refuse(
      'rebuild',
      'component_missing',
      'no Webhook-Id',
      withHeader('Webhook-Id', () => []),
    ),
    refuse(
      'verify',
      'signature_invalid',
      'another Content-Type',
      withHeader('Content-Type', () => 'text/plain'),
    ),
    refuse(
      'rebuild',
      'component_missing',
      'no Content-Type',
      withHeader('Content-Type', () => []),
    ),
    refuse('event', 'event_invalid', 'a signed body that is no JSON', makeRequest({ body: 'hello' })),
    refuse('event', 'event_invalid', 'a signed body that is no event', makeRequest({ body: '[1]' })),
  ];
}

function ofTarget(): Case[] {
  const invalid = (name: string, request: SignedRequest) => refuse('verify', 'signature_invalid', name, request);
  return [
    invalid('another method', { ...makeRequest(), method: 'PUT' }),
    invalid('the method in lower case', { ...makeRequest(), method: 'post' }),
    invalid('signed for another host', at(url, 'https://other.example.com/concord')),
    invalid('signed for another path', at(url, `${url}/other`)),
    invalid('signed without the slash at the end', at(`${url}/`)),
    invalid('signed for another query', at(`${url}?tenant=7`, `${url}?tenant=8`)),
    invalid('signed without the query', at(`${url}?tenant=7`)),
    invalid('signed for http', at(url, url.replace('https', 'http'))),
    invalid('signed for another port', at('https://hooks.example.com:8443/concord')),
    invalid('signed for the path in another encoding', at('https://hooks.example.com/a%2fb', 'https://hooks.example.com/a%2Fb')),
  ];
}

function ofTime(): Case[] {
  const request = makeRequest();
  return [
    refuse('requirements', 'created_too_old', 'created 301 s ago', request, { now: created + 301 }),
    refuse('requirements', 'created_too_old', 'created a year ago', request, { now: created + 31_536_000 }),
    refuse('requirements', 'created_in_future', 'created 301 s ahead', request, { now: created - 301 }),
    refuse('requirements', 'created_in_future', 'created in milliseconds', makeRequest({ createdAt: created * 1_000 })),
    refuse(
      'verify',
      'signature_invalid',
      'created made younger',
      withInput((value) => value.replace(String(created), String(created + 1))),
    ),
    refuse(
      'requirements',
      'signature_expired',
      'expired',
      parameters(createdParameter, keyidParameter, algParameter, `expires=${created - 300}`),
    ),
    refuse('requirements', 'parameter_missing', 'no created', parameters(keyidParameter, algParameter)),
    refuse(
      'requirements',
      'parameter_invalid',
      'created as a string',
      parameters(`created="${created}"`, keyidParameter, algParameter),
    ),
    refuse('parse', 'unsupported', 'created as a decimal', parameters(`created=${created}.0`, keyidParameter, algParameter)),
    refuse('requirements', 'parameter_invalid', 'created as a flag', parameters('created', keyidParameter, algParameter)),
  ];
}

function ofKeys(): Case[] {
  return [
    refuse('find_key', 'key_unknown', 'an unknown kid', makeRequest({ keyid: 'unknown' })),
    refuse('find_key', 'key_unknown', 'a retired key, no longer published', makeRequest({ key: 'removed' })),
    refuse('find_key', 'key_unknown', 'a sandbox key on live', makeRequest({ key: 'sandbox', environment: 'sandbox' })),
    refuse('find_key', 'key_unknown', 'a live key on sandbox', makeRequest(), { jwks: 'sandbox' }),
    refuse('find_key', 'key_unknown', 'an empty kid', makeRequest({ keyid: '' })),
    refuse(
      'find_key',
      'key_unknown',
      'the kid of a key on P-256',
      makeRequest({ key: 'p256', encode: () => join(half(1), half(1)) }),
    ),
    refuse('find_key', 'key_unknown', 'the kid of an RSA key', makeRequest({ keyid: 'rsa' })),
    refuse('find_key', 'key_unknown', 'the position of the key as kid', makeRequest({ keyid: '3' })),
    refuse(
      'verify',
      'signature_invalid',
      'the kid of another published key',
      makeRequest({ key: 'successor', keyid: kid('active') }),
    ),
    refuse('requirements', 'parameter_missing', 'no keyid', parameters(createdParameter, algParameter)),
    refuse('requirements', 'parameter_invalid', 'keyid as a token', parameters(createdParameter, 'keyid=k', algParameter)),
    refuse('requirements', 'parameter_missing', 'no alg', parameters(createdParameter, keyidParameter)),
    refuse(
      'requirements',
      'algorithm_mismatch',
      'alg of another curve',
      parameters(createdParameter, keyidParameter, 'alg="ecdsa-p256-sha256"'),
    ),
    refuse(
      'requirements',
      'algorithm_mismatch',
      'alg of a secret key',
      parameters(createdParameter, keyidParameter, 'alg="hmac-sha256"'),
    ),
    refuse(
      'requirements',
      'algorithm_mismatch',
      'alg in upper case',
      parameters(createdParameter, keyidParameter, `alg="${algorithm.toUpperCase()}"`),
    ),
    refuse('requirements', 'algorithm_mismatch', 'alg none', parameters(createdParameter, keyidParameter, 'alg="none"')),
    refuse(
      'requirements',
      'parameter_invalid',
      'alg as a token',
      parameters(createdParameter, keyidParameter, `alg=${algorithm}`),
    ),
  ];
}

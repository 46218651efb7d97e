// The wire of the verification of captured webhooks.
import { Type } from 'typebox';
import { Closed, HeaderLine, NullableString, Text } from '../../../base/http/schemas.ts';
import { environments } from '../../environments.ts';

export type CapturedHeaders =
  | Record<string, string | string[]>
  | (HeaderLine | [name: string, value: string])[];

const maxHeaders = 200;
/** Characters. */
const maxLine = 16_384;
export const CapturedRequest = Closed(
  'CapturedRequest',
  {
    method: Text(20, 'The method of the request, `POST` for a webhook'),
    url: Text(4_096, 'The URL of the endpoint, as it is registered'),
    headers: Type.Unsafe<CapturedHeaders>({
      type: ['object', 'array'],
      additionalProperties: {
        type: ['string', 'array'],
        maxLength: maxLine,
        maxItems: 100,
        items: { type: 'string', maxLength: maxLine },
      },
      maxProperties: maxHeaders,
      propertyNames: { maxLength: 256, 'x-form': 'a name of at most 256 characters' },
      items: {
        type: ['object', 'array'],
        required: ['name', 'value'],
        properties: {
          name: { type: 'string', maxLength: 256 },
          value: { type: 'string', maxLength: maxLine },
        },
        additionalProperties: false,
        items: { type: 'string', maxLength: maxLine },
        minItems: 2,
        maxItems: 2,
      },
      maxItems: maxHeaders,
      'x-published': {
        type: 'array',
        items: HeaderLine,
        maxItems: maxHeaders,
        description:
          'The headers of the request, in its order, as an attempt and the sandbox receiver show them. Also valid: an array of pairs `["name", "value"]`, and an object with a value, or an array of values, for each name.',
      },
    }),
    body: Type.String({ description: 'The body as it was received, byte for byte' }),
    body_encoding: Type.Optional(
      Type.Enum(['utf8', 'base64'], { description: 'The encoding of `body`. Default: utf8' }),
    ),
    environment: Type.Optional(
      Type.Enum(environments, {
        description: 'The environment whose keys verify the request. Default: live',
      }),
    ),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'The time at which to verify, which an older request requires: a signature is valid for 5 minutes. Default: `received_at`, or else now',
      }),
    ),
    received_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'As the sandbox receiver gives it: the default of `at`',
      }),
    ),
    verification: Type.Optional(
      Type.Unknown({ description: 'As the sandbox receiver gives it. It has no effect' }),
    ),
  },
  {
    method: 'POST',
    url: 'https://hooks.example.com/concord',
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'content-digest', value: 'sha-256=:UydoUlPgI1OZ3zEWbsONTWavc00VW1rbpDckSf7+0q0=:' },
      { name: 'webhook-id', value: 'evt_01kdv0000000000000000000' },
      {
        name: 'signature-input',
        value:
          'sig1=("@method" "@target-uri" "content-type" "content-digest" "webhook-id");created=1767225600;alg="ecdsa-p384-sha384";keyid="PrvBtFOAV6lx-a4M8A8OMVcQsqk-krmXsJxvF9jsiNg"',
      },
      {
        name: 'signature',
        value:
          'sig1=:1L6+RmLNqkKCGBvzLMBju3KPU9YV7vJ8OXaW5D71m1buxo5uws1KP+nAv9v333uWohDOk2/sRLevTMu8BV26O1ss7YF6bEpOOUSKEoRya0e54ZfTHQ+3vfKhEiz8JSQB:',
      },
    ],
    body: '{"id":"evt_01kdv0000000000000000000","type":"inventory.updated","created_at":"2026-01-01T00:00:00.000Z","partner_id":"ptr_01h2xcejqtf2nbrexx3vqjhp41","environment":"live","data":{"sku":"NX-1","quantity":12,"location":null}}',
    at: '2026-01-01T00:00:01Z',
  },
);
/** Why a request is not verified. */
export const failure = {
  step: NullableString('The step that fails (docs/receiving-webhooks.md). null: no step fails'),
  code: NullableString('The code of the failure, for programs. null: no step fails'),
  reason: NullableString('The reason for the failure, for people. null: no step fails'),
};
export const Verification = Closed(
  'Verification',
  {
    verified: Type.Boolean({ description: 'Whether the request is a valid webhook' }),
    ...failure,
    checked_url: NullableString('The URL that was checked, if the signature is invalid; otherwise null'),
    signature_base: NullableString(
      'The signature base that was checked, if the signature is invalid; otherwise null',
    ),
    matching_url: NullableString(
      'A similar URL for which the signature is valid: the one that Concord signed. null: none was found, or the signature is valid',
    ),
  },
  {
    verified: false,
    step: 'verify',
    code: 'signature_invalid',
    reason:
      'The signature was not made for this request to https://hooks.example.com/concord/. The sender signed https://hooks.example.com/concord: if that is this endpoint, set url to it',
    checked_url: 'https://hooks.example.com/concord/',
    signature_base:
      '"@method": POST\n"@target-uri": https://hooks.example.com/concord/\n"content-type": application/json\n"content-digest": sha-256=:UydoUlPgI1OZ3zEWbsONTWavc00VW1rbpDckSf7+0q0=:\n"webhook-id": evt_01kdv0000000000000000000\n"@signature-params": ("@method" "@target-uri" "content-type" "content-digest" "webhook-id");created=1767225600;alg="ecdsa-p384-sha384";keyid="PrvBtFOAV6lx-a4M8A8OMVcQsqk-krmXsJxvF9jsiNg"',
    matching_url: 'https://hooks.example.com/concord',
  },
);

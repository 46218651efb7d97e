// The wire of single attempts (behaviour W28).
import { type Static, Type } from 'typebox';
import { HeaderLine, NullableString } from '../../../base/http/schemas.ts';
import { acknowledged, attemptMembers } from '../deliveries/schema.ts';

const closed = { additionalProperties: false };

const request = Type.Object(
  {
    method: Type.String(),
    url: Type.String({ description: 'The URL as it was signed, which the endpoint may no longer have' }),
    headers: Type.Array(HeaderLine, {
      description:
        'In the order in which they are sent, without the headers that the endpoint was given, and without Connection',
    }),
    body: Type.String({ description: 'The body, byte for byte' }),
  },
  { title: 'SentRequest', ...closed },
);

const created = 1_769_846_400;
const digest = 'sha-256=:iKy56iXnNhwSLv+zGqjjVEYzPpyS/ZGn5vO07xKwNqc=:';
const parameters = `("@method" "@target-uri" "content-type" "content-digest" "webhook-id");created=${created};alg="ecdsa-p384-sha384";keyid="b6Qm"`;
const example = {
  ...acknowledged,
  request: {
    method: 'POST',
    url: 'https://hooks.example.com/',
    headers: [
      { name: 'host', value: 'hooks.example.com' },
      { name: 'content-type', value: 'application/json' },
      { name: 'content-digest', value: digest },
      { name: 'webhook-id', value: 'evt_01h2xcejqtf2nbrexx3vqjhp41' },
      { name: 'webhook-attempt', value: '1' },
      { name: 'user-agent', value: 'Concord (https://concord.example.com)' },
      { name: 'signature-input', value: `sig1=${parameters}` },
      { name: 'signature', value: 'sig1=:cGgT:' },
      { name: 'content-length', value: '2' },
    ],
    body: '{}',
  },
  signature_base: [
    '"@method": POST',
    '"@target-uri": https://hooks.example.com/',
    '"content-type": application/json',
    `"content-digest": ${digest}`,
    '"webhook-id": evt_01h2xcejqtf2nbrexx3vqjhp41',
    `"@signature-params": ${parameters}`,
  ].join('\n'),
  key_id: 'b6Qm',
  created,
  signature: 'cGgT',
};

/** A member that is null together with the other members about the request. */
const orNull = 'null: no request was signed, or an earlier version sent it';

export const AttemptWithRequest = Type.Object(
  {
    ...attemptMembers,
    request: Type.Unsafe<Static<typeof request> | null>({
      ...request,
      type: ['object', 'null'],
      description: `The request as it was signed. ${orNull}`,
    }),
    signature_base: NullableString(`The text that was signed (RFC 9421, section 2.5). ${orNull}`),
    key_id: NullableString(`The key that signed. ${orNull}`),
    created: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: `When the request was signed, in Unix seconds. ${orNull}`,
    }),
    signature: NullableString(`The signature in base64: r and s of ECDSA (IEEE P1363). ${orNull}`),
  },
  { title: 'AttemptWithRequest', ...closed, examples: [example] },
);
export type AttemptWithRequest = Static<typeof AttemptWithRequest>;

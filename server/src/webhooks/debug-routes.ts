// The HTTP of finding out why a webhook does not verify.
import { Type } from 'typebox';
import type { Access } from '../agreements/index.ts';
import { NullableString, readMoment, Text } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import { environments } from '../signing-keys/index.ts';
import type { Captured, Finding } from './verify-captured.ts';

const closed = { additionalProperties: false };
const maxBodyBytes = 1_024 * 1_024;

const CapturedRequest = Type.Object(
  {
    method: Text(20),
    url: Text(4_096, 'The URL of the endpoint, as it is registered'),
    headers: Type.Record(
      Type.String(),
      Type.Unsafe<string | string[]>({ type: ['string', 'array'], items: { type: 'string' } }),
      {
        maxProperties: 200,
        description: 'Name and value, or values',
      },
    ),
    body: Type.String({ description: 'As it came, byte for byte' }),
    body_encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { description: 'Default: utf8' })),
    environment: Type.Optional(Type.Enum([...environments], { description: 'Default: live' })),
    at: Type.Optional(Type.String({ format: 'date-time', description: 'Verify as of then; default: now' })),
  },
  { title: 'CapturedRequest', ...closed },
);
const Verification = Type.Object(
  {
    verified: Type.Boolean(),
    step: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The step that fails: see docs/receiving-webhooks.md',
    }),
    code: NullableString(),
    reason: NullableString(),
  },
  { title: 'Verification', ...closed },
);

type Options = { verifyCaptured: (captured: Captured) => Promise<Finding>; access: Access };

export function registerDebugRoutes(server: HttpServer, { verifyCaptured, access }: Options): void {
  server.post(
    '/webhook-debug/verify',
    {
      onRequest: access.signedIn,
      bodyLimit: maxBodyBytes,
      schema: {
        tags: ['Webhook endpoints'],
        security: [{ bearer: [] }],
        summary: 'Say which step of the verification of a webhook fails, and why',
        body: CapturedRequest,
        response: { 200: Verification },
      },
    },
    ({ body: { method, url, headers, body, body_encoding = 'utf8', environment = 'live', at } }) =>
      verifyCaptured({
        ...{ method, url, headers, environment },
        body: Buffer.from(body, body_encoding),
        at: at === undefined ? new Date() : readMoment(at, '/at'),
      }),
  );
}

// The HTTP of verifying a captured webhook.
import type { Access } from '../../access/index.ts';
import { readMoment } from '../../http/schemas.ts';
import type { HttpServer } from '../../http/server.ts';
import { type CapturedHeaders, CapturedRequest, Verification } from './schema.ts';
import type { Captured, Finding } from './verify-captured.ts';

const maxBodyBytes = 1_024 * 1_024;

type Options = { verifyCaptured: (captured: Captured) => Promise<Finding>; access: Access };

export function registerDebugRoutes(server: HttpServer, { verifyCaptured, access }: Options): void {
  server.post(
    '/webhook-debug/verify',
    {
      onRequest: access.signedIn.hook,
      bodyLimit: maxBodyBytes,
      schema: {
        tags: ['Webhook endpoints'],
        security: [{ bearer: [] }],
        operationId: 'verifyCapturedWebhook',
        summary: 'Verify a captured webhook',
        description: 'Says which step of the verification fails, and why. The body has at most 1 MiB.',
        body: CapturedRequest,
        response: { 200: Verification },
      },
    },
    ({ body: { method, url, headers, body, body_encoding = 'utf8', environment = 'live', at } }) =>
      verifyCaptured({
        ...{ method, url, headers: toFields(headers), environment },
        body: Buffer.from(body, body_encoding),
        at: at === undefined ? new Date() : readMoment(at, '/at'),
      }),
  );
}

const toFields = (headers: CapturedHeaders): Captured['headers'] =>
  Array.isArray(headers)
    ? headers.map((line): [string, string] => (Array.isArray(line) ? line : [line.name, line.value]))
    : headers;

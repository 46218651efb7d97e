// The HTTP of verifying a captured webhook.
import type { Access } from '../../../access/index.ts';
import { readMoment } from '../../../base/http/schemas.ts';
import type { HttpServer } from '../../../base/http/server.ts';
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
        description:
          'Says which step of the verification fails, and why. It takes the `request` of an attempt, and a request of the sandbox receiver with its `url`. It requires a token, as every operation does that is not open to anyone. A request that is older than five minutes also requires `at`. The body has at most 1 MiB.',
        body: CapturedRequest,
        response: { 200: Verification },
      },
    },
    async ({
      body: {
        method,
        url,
        headers,
        body,
        body_encoding = 'utf8',
        environment = 'live',
        received_at,
        at = received_at,
      },
    }) => {
      const finding = await verifyCaptured({
        ...{ method, url, headers: toFields(headers), environment },
        body: Buffer.from(body, body_encoding),
        at: at === undefined ? new Date() : readMoment(at, '/at'),
      });
      if (finding.code !== 'created_too_old' || at !== undefined) return finding;
      return {
        ...finding,
        reason: `${finding.reason}. To verify an old request, set at to the time when it arrived`,
      };
    },
  );
}

const toFields = (headers: CapturedHeaders): Captured['headers'] =>
  Array.isArray(headers)
    ? headers.map((line): [string, string] => (Array.isArray(line) ? line : [line.name, line.value]))
    : headers;

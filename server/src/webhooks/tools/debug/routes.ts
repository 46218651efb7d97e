// The HTTP of verifying a captured webhook.
import { type Access, createRoutes } from '../../../access/index.ts';
import { readMoment } from '../../../base/http/schemas.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { type CapturedHeaders, CapturedRequest, Verification } from './schema.ts';
import type { Captured, Finding } from './verify-captured.ts';

type Options = { verifyCaptured: (captured: Captured) => Promise<Finding>; access: Access };

export function registerDebugRoutes(server: HttpServer, { verifyCaptured, access }: Options): void {
  createRoutes(server, 'Webhook endpoints').plain('POST', '/webhook-debug/verify', {
    operationId: 'verifyCapturedWebhook',
    summary: 'Verify a captured webhook',
    description:
      'Says which step of the verification fails, and why. It takes the `request` of an attempt, and a request of the sandbox receiver with its `url`. It requires a token, as every operation does that is not open to anyone. A request that is older than five minutes also requires `at`. The body has at most 3 MiB.',
    access: access.signedIn,
    // The largest batch (W70), each of whose bytes can take two in JSON, and its headers.
    bodyLimit: 3 * 1_024 * 1_024,
    body: CapturedRequest,
    answer: Verification,
    async run({ body: captured }) {
      const { method, url, environment = 'live', received_at, at = received_at } = captured;
      const finding = await verifyCaptured({
        method,
        url,
        environment,
        headers: toFields(captured.headers),
        body: Buffer.from(captured.body, captured.body_encoding ?? 'utf8'),
        at: at === undefined ? new Date() : readMoment(at, '/at'),
      });
      if (finding.code !== 'created_too_old' || at !== undefined) return finding;
      const reason = `${finding.reason}. To verify an old request, set at to the time when it arrived`;
      return { ...finding, reason };
    },
  });
}

const toFields = (headers: CapturedHeaders): Captured['headers'] =>
  Array.isArray(headers)
    ? headers.map((line): [string, string] => (Array.isArray(line) ? line : [line.name, line.value]))
    : headers;

// Adapters: turn a receiver into a handler for common servers. Server types are structural, so no server has
// to be installed.
import type { WebhookAnswer } from './answer.ts';
import { type NodeRequest, readNodeBody, toPairs } from './node-request.ts';
import type { WebhookReceiver } from './receiver.ts';
import { writeError } from './report.ts';
import type { WebhookBody } from './request.ts';

/**
 * Creates a fetch handler, for Deno, Bun, workers and Next.js.
 *
 * @example
 * export default { fetch: toFetchHandler(receiver) };
 */
export function toFetchHandler(receiver: WebhookReceiver): (request: Request) => Promise<Response> {
  return async (request) => toResponse(await receiver.receive(request));
}

/** The part of a Hono context that the adapter uses. Hono keeps a body that a middleware has read. */
export type HonoContext = { req: { raw: Request; bodyCache?: { arrayBuffer?: unknown; text?: unknown } } };

/**
 * Creates a Hono handler. It also works behind a middleware that reads the body with `c.req.text()`, `json()`
 * or `arrayBuffer()`.
 *
 * @example
 * app.post('/concord', toHonoHandler(receiver));
 */
export function toHonoHandler(receiver: WebhookReceiver): (context: HonoContext) => Promise<Response> {
  return async ({ req: { raw, bodyCache } }) => {
    const kept = raw.bodyUsed ? await (bodyCache?.arrayBuffer ?? bodyCache?.text) : undefined;
    if (kept === undefined) return toResponse(await receiver.receive(raw));
    const { method, headers } = raw;
    return toResponse(await receiver.receive({ method, headers, body: kept as WebhookBody }));
  };
}

function toResponse(answer: WebhookAnswer): Response {
  const body = writeBody(answer);
  return new Response(body ?? null, {
    status: answer.status,
    headers: body ? { 'content-type': 'application/json' } : {},
  });
}

/** The part of `http.ServerResponse` that the adapters use. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
};

/**
 * Creates a handler for Node's http and https servers.
 *
 * @example
 * createServer(toNodeHandler(receiver)).listen(8080);
 */
export function toNodeHandler(
  receiver: WebhookReceiver,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    try {
      const body = await readNodeBody(request, receiver.maxBodyBytes);
      if (body === 'disconnected') return;
      const { method = '', rawHeaders } = request;
      const answer = await receiver.receive({ method, headers: toPairs(rawHeaders), body: body.raw });
      // The rest of the body is unread, so the connection cannot take another request.
      if (answer.status === 413) response.setHeader('connection', 'close');
      writeAnswer(answer, response);
    } catch (error) {
      // A rejected promise would end the process.
      writeError(error);
      writeAnswer({ status: 500 }, response);
    }
  };
}

/**
 * Creates an Express handler. It needs the raw body: mount it before `express.json()`, use
 * `express.raw({ type: () => true })`, or let a parser keep the bytes as `request.rawBody`.
 *
 * @example
 * app.post('/concord', toExpressHandler(receiver));
 */
export function toExpressHandler(
  receiver: WebhookReceiver,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return toNodeHandler(receiver);
}

/** The part of a Fastify instance that the adapter uses. */
export type FastifyScope = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(
    path: string,
    handler: (
      request: { raw: { rawHeaders: readonly string[] }; body?: unknown },
      reply: FastifyAnswer,
    ) => Promise<unknown>,
  ): unknown;
};

/** The part of a Fastify reply that the adapter uses. */
export type FastifyAnswer = {
  code(status: number): { type(type: string): { send(body?: string): unknown } };
};

/**
 * Creates a Fastify plugin with one POST route. The plugin's scope keeps bodies raw; other scopes keep their
 * parsers.
 *
 * @example
 * await fastify.register(toFastifyPlugin(receiver, '/concord'));
 */
export function toFastifyPlugin(
  receiver: WebhookReceiver,
  path: string,
): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: receiver.maxBodyBytes },
      (_, body, done) => done(null, body),
    );
    scope.post(path, async ({ raw, body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      const answer = await receiver.receive({
        method: 'POST',
        headers: toPairs(raw.rawHeaders),
        body: bytes,
      });
      return reply.code(answer.status).type('application/json').send(writeBody(answer));
    });
  };
}

function writeBody({ code, step }: WebhookAnswer): string | undefined {
  return code === undefined ? undefined : JSON.stringify({ code, step });
}

function writeAnswer(answer: WebhookAnswer, response: NodeResponse): void {
  const body = writeBody(answer);
  response.statusCode = answer.status;
  if (body) response.setHeader('content-type', 'application/json');
  response.end(body);
}

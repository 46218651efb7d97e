// Adapters: turn a receiver into a handler for common servers. Server types are structural, so no server has to be installed.
import type { WebhookAnswer, WebhookReceiver } from './receiver.ts';
import { joinChunks } from './streams.ts';

/**
 * Creates a fetch handler, for Deno, Bun, workers and Next.js.
 *
 * @example
 * export default { fetch: toFetchHandler(receiver) };
 */
export function toFetchHandler(receiver: WebhookReceiver): (request: Request) => Promise<Response> {
  return async (request) => {
    const answer = await receiver.receive(request);
    const body = writeBody(answer);
    return new Response(body ?? null, { status: answer.status, headers: body ? { 'content-type': 'application/json' } : {} });
  };
}

/**
 * Creates a Hono handler.
 *
 * @example
 * app.post('/concord', toHonoHandler(receiver));
 */
export function toHonoHandler(receiver: WebhookReceiver): (context: { req: { raw: Request } }) => Promise<Response> {
  const handle = toFetchHandler(receiver);
  return (context) => handle(context.req.raw);
}

/** The part of `http.IncomingMessage` that the adapters use. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
  /** Set by a body parser. Must then be the raw bytes. */
  readonly body?: unknown;
  /** True when something has read the body already. */
  readonly readableEnded?: boolean | undefined;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
};

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
export function toNodeHandler(receiver: WebhookReceiver): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const isRead = request.body !== undefined || request.readableEnded;
    const body = isRead ? request.body : await readBody(request, receiver.maxBodyBytes);
    if (body === undefined && !isRead) return;
    // May be something else after a body parser; the receiver then refuses it.
    const bytes = body as Uint8Array;
    const answer = await receiver.receive({ method: request.method ?? '', headers: toPairs(request.rawHeaders), body: bytes });
    // The rest of the body is unread, so the connection cannot take another request.
    if (answer.status === 413) response.setHeader('connection', 'close');
    writeAnswer(answer, response);
  };
}

/**
 * Creates an Express handler. It needs the raw body: mount it before `express.json()`, or use `express.raw({ type: '*\/*' })`.
 *
 * @example
 * app.post('/concord', toExpressHandler(receiver));
 */
export function toExpressHandler(receiver: WebhookReceiver): (request: NodeRequest, response: NodeResponse) => Promise<void> {
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
    handler: (request: { raw: { rawHeaders: readonly string[] }; body?: unknown }, reply: FastifyAnswer) => Promise<unknown>,
  ): unknown;
};

/** The part of a Fastify reply that the adapter uses. */
export type FastifyAnswer = { code(status: number): { type(type: string): { send(body?: string): unknown } } };

/**
 * Creates a Fastify plugin with one POST route. The plugin's scope keeps bodies raw; other scopes keep their parsers.
 *
 * @example
 * await fastify.register(toFastifyPlugin(receiver, '/concord'));
 */
export function toFastifyPlugin(receiver: WebhookReceiver, path: string): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: receiver.maxBodyBytes }, (_, body, done) => done(null, body));
    scope.post(path, async ({ raw, body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      const answer = await receiver.receive({ method: 'POST', headers: toPairs(raw.rawHeaders), body: bytes });
      return reply.code(answer.status).type('application/json').send(writeBody(answer));
    });
  };
}

/** Reads the body up to the first chunk beyond `maxBytes`. Undefined when the sender disconnects before the end. */
function readBody(request: NodeRequest, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    request.on('data', (chunk) => {
      if (!(length <= maxBytes)) return;
      length += chunk.length;
      chunks.push(chunk);
      if (!(length <= maxBytes)) resolve(joinChunks(chunks, length));
    });
    request.on('end', () => resolve(joinChunks(chunks, length)));
    request.on('close', () => resolve(undefined));
  });
}

/** Uses the raw headers, because Node's `headers` drops or joins duplicates. */
function toPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  return pairs;
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

// A receiver as a handler of the usual servers. Their types are named by shape, so that none of them has to be installed.
import type { WebhookAnswer, WebhookReceiver } from './receiver.ts';
import { joinChunks } from './streams.ts';

/**
 * For servers that speak fetch: Deno, Bun, workers, Next.js.
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
 * For Hono.
 *
 * @example
 * app.post('/concord', toHonoHandler(receiver));
 */
export function toHonoHandler(receiver: WebhookReceiver): (context: { req: { raw: Request } }) => Promise<Response> {
  const handle = toFetchHandler(receiver);
  return (context) => handle(context.req.raw);
}

/** What is used of an `http.IncomingMessage`. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
  /** Set when something read the body before: it must then be the raw bytes. */
  readonly body?: unknown;
  /** Set when something read the body before and kept nothing. */
  readonly readableEnded?: boolean | undefined;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
};

/** What is used of an `http.ServerResponse`. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
};

/**
 * For Node's http and https servers.
 *
 * @example
 * createServer(toNodeHandler(receiver)).listen(8080);
 */
export function toNodeHandler(receiver: WebhookReceiver): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const isRead = request.body !== undefined || request.readableEnded;
    const body = isRead ? request.body : await readBody(request, receiver.maxBodyBytes);
    if (body === undefined && !isRead) return;
    // Where these are not the raw bytes, the receiver says so.
    const bytes = body as Uint8Array;
    const answer = await receiver.receive({ method: request.method ?? '', headers: toPairs(request.rawHeaders), body: bytes });
    // What was not read cannot be skipped: the connection ends here.
    if (answer.status === 413) response.setHeader('connection', 'close');
    writeAnswer(answer, response);
  };
}

/**
 * For Express. Mount it before `express.json()`, or with `express.raw({ type: '*\/*' })`: the raw bytes are needed.
 *
 * @example
 * app.post('/concord', toExpressHandler(receiver));
 */
export function toExpressHandler(receiver: WebhookReceiver): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return toNodeHandler(receiver);
}

/** What is used of a Fastify instance. */
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
/** What is used of a Fastify reply. */
export type FastifyAnswer = { code(status: number): { type(type: string): { send(body?: string): unknown } } };

/**
 * For Fastify: a plugin with one route, in a scope of its own whose bodies stay raw.
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

/** What came until the end, or until it was too much; undefined when the sender went away before. */
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

/** Node's own `headers` drops or joins what stands twice; the raw ones are what came. */
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

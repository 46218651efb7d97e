// The HTTP server: what holds for every request, whatever the feature. It knows no feature.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestAsyncHookHandler,
  type onSendAsyncHookHandler,
} from 'fastify';
import findMyWay from 'find-my-way';
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import { createAttached } from '../attached.ts';
import { ServiceError } from '../errors.ts';
import { boundConnections } from './connections.ts';
import { answerOnSocket, answerSocketError, sendError } from './error-responses.ts';
import { parseJson } from './json-body.ts';
import { formMediaType, jsonType, mergePatchType, requireMediaType } from './media-types.ts';
import { createSendInPieces } from './pieces.ts';
import { isReadByHandler, keepRawBody, parseForm } from './raw-body.ts';
import { isRepeated } from './request-headers.ts';
import { isScim, scimMediaType } from './scim.ts';
import { serializer } from './serialization.ts';
import { refusalBefore } from './still-allowed.ts';
import { compileValidator } from './validation.ts';

export const interfaceVersion = '2.0';
export const docsPrefix = '/docs';
/** For a page: nothing from elsewhere, no inline code, no frame. `more`: further directives. */
export const pageHeaders = (...more: string[]) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...more,
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});
/** For every answer below `/docs`. Swagger UI sets `innerHTML`, so trusted types cannot be required. */
const docsHeaders = pageHeaders();
const bodyLimit = 64 * 1024;
/** A larger body has a few large texts, such as a captured webhook. Many small values would take too long. */
const manyValuesLimit = 256 * 1024;
const maxValues = 20_000;
/** A directory sends all members of a group at once, each with its name. */
const maxScimValues = 60_000;
/** As long as a header section: an id of any length is an unknown id, not an unknown path. */
const maxParamLength = 16 * 1024;

export type HttpServer = ReturnType<typeof createHttpServer>;

/** The schema of paths that only browsers open. For other methods they stay unknown paths. */
export const pageSchema = { hide: true } as const;

/** Anyone may call it, as often as they like. */
export const anyone: onRequestAsyncHookHandler = async () => {};

/** Runs before a request is routed. Returns the path and query to route. */
export type RewriteTarget = (target: string, request: IncomingMessage) => string;

type Options = {
  logger: Logger;
  trustedProxies: readonly string[];
  /** How long a client may take to send the header section of a request. */
  headersTimeoutMs?: number;
  rewriteTarget?: RewriteTarget | undefined;
};

export function createHttpServer(options: Options) {
  const server = createFastify(options);
  server.addHook('onSend', plainJsonType);
  server.addHook('onSend', createSendInPieces());
  let stops = false;
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (stops) void reply.header('connection', 'close');
    done(null, payload);
  });
  readBodies(server);
  const { closeMethods, unknownRoute } = trackMethods(server);
  server.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'x-request-id': request.id,
      'api-version': interfaceVersion,
      'x-content-type-options': 'nosniff',
    });
    if (isBelow(docsPrefix, request.url)) void reply.headers(docsHeaders);
    requireSoundHead(request.raw);
    if (request.is404) throw unknownRoute(request.url);
  });
  // After the access rule of the route (its onRequest hook), before its body is read.
  server.addHook('preParsing', async (request) => {
    const version = request.headers['accept-version'];
    if (version !== undefined && version !== interfaceVersion) throw new ServiceError('unsupported_version');
    requireMediaType(request);
  });
  server.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
  server.setErrorHandler(async (error, request, reply) =>
    sendError(await refusalBefore(error, request), request, reply),
  );
  server.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    sendError(new ServiceError('not_found'), request, reply),
  );
  return Object.assign(server, {
    closeMethods,
    /** From now on each answer closes its connection, so that no proxy sends a request on it. */
    closeWithAnswers(): void {
      stops = true;
    },
  });
}

/**
 * A proxy that keeps an idle connection for longer (Caddy: 120 s, Google's load balancer: 600 s) could send a
 * request while we close it: 502. `trusted`: with `CONCORD_TRUSTED_PROXIES`.
 */
const keepAliveMs = { usual: 125_000, trusted: 620_000 };
/** The first gets the reset, the second finds it. */
const probeEveryMs = 500;

function createFastify({
  logger,
  trustedProxies,
  headersTimeoutMs = 15_000,
  rewriteTarget = (target) => target,
}: Options) {
  /** The last response of each connection. */
  const underWay = createAttached<Socket, ServerResponse>();
  const server = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    bodyLimit,
    requestTimeout: 30_000,
    keepAliveTimeout: trustedProxies.length > 0 ? keepAliveMs.trusted : keepAliveMs.usual,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    clientErrorHandler: (error, socket) => answerSocketError(error, socket, underWay.get(socket)),
    // Otherwise Node answers a request without Host.
    http: {
      requireHostHeader: false,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs / 3,
    },
    // error-responses.ts makes the text.
    schemaErrorFormatter: () => new Error('The request does not fit its schema'),
    routerOptions: { maxParamLength, ignoreTrailingSlash: false },
    rewriteUrl: (request) => rewriteTarget(readTarget(request), request),
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.setValidatorCompiler(compileValidator);
  // Compiled at the first use: most routes send text that is JSON already.
  server.setSerializerCompiler(({ schema }) => serializer(schema as TSchema));

  const http = server.server;
  boundConnections(http, {
    trustedProxies,
    onRefusal: (refused) =>
      logger.warn(refused, 'connections are refused; name your proxies in CONCORD_TRUSTED_PROXIES (L5)'),
  });
  http.on('request', (request, response) => underWay.set(request.socket, response));
  // A client may half-close its connection and wait.
  Object.assign(http, { httpAllowHalfOpen: true });
  http.on('connection', (socket: Socket) => socket.once('end', () => probe(underWay.get(socket))));
  // Node would answer these two by itself.
  http.on('checkExpectation', (request, response) => http.emit('request', request, response));
  http.on('connect', (_request: IncomingMessage, socket: Socket) =>
    answerOnSocket(
      new ServiceError('method_not_allowed', { headers: { allow: 'GET, POST, PATCH, DELETE' } }),
      socket,
    ),
  );
  return server;
}

type Fastify = ReturnType<typeof createFastify>;

/**
 * Whether a client that sends no more still listens: one that has left answers an interim response with a reset,
 * and others skip it (RFC 9110, section 15.2). HTTP/1.0 has none.
 */
function probe(response: ServerResponse | undefined): void {
  if (response?.req.httpVersion !== '1.1' || response.writableFinished) return;
  const timer = setInterval(() => response.headersSent || response.writeProcessing(), probeEveryMs).unref();
  response.once('close', () => clearInterval(timer));
}

function readBodies(server: Fastify): void {
  // GET and DELETE ignore a body.
  server.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  server.removeAllContentTypeParsers();
  const read = (type: string, parse: (body: Buffer, request: FastifyRequest) => unknown) =>
    server.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
      parse(body, request),
    );
  read(jsonType, (body, request) => {
    const schema = request.routeOptions.schema?.body;
    if (body.length === 0 && isOptional(schema)) return undefined;
    if (isReadByHandler(schema)) return keepRawBody(request, body);
    return parseBounded(body, request);
  });
  read(mergePatchType, parseBounded);
  read(scimMediaType, parseBounded);
  read(formMediaType, (body) => parseForm(body.toString()));
}

function parseBounded(body: Buffer, request: FastifyRequest): unknown {
  if (isScim(request)) return parseJson(body, maxScimValues);
  return parseJson(body, body.length > manyValuesLimit ? maxValues : Infinity);
}

function trackMethods(server: Fastify) {
  // A route for each method that is not there would cost 7 MB.
  const paths = findMyWay({ maxParamLength });
  const methodsOf = new Map<string, Set<string>>();
  server.addHook('onRoute', (route) => {
    // The documentation sets one access rule for all its pages.
    if (route.onRequest === undefined && !route.url.startsWith(docsPrefix))
      throw new Error(`The route ${route.url} has no access rule: give it an onRequest hook.`);
    if (route.method === 'HEAD')
      route.onSend = [endStreamOfHead, route.onSend ?? [], removeLengthOf304].flat();
    if (route.schema === pageSchema) return;
    const methods = methodsOf.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) methods.add(method);
    methodsOf.set(route.url, methods);
  });
  return {
    /** From now on other methods of a known path are 405. Call it after the last route. */
    closeMethods(): void {
      for (const [url, methods] of methodsOf)
        paths.on('GET', url, () => {}, { allow: [...methods].sort().join(', ') });
    },
    unknownRoute(target: string): ServiceError {
      const found = paths.find('GET', target.split('?', 1)[0] ?? '');
      const allow: string | undefined = found?.store?.allow;
      // The router also takes an empty segment for an id. What a wildcard stands for can be empty.
      const { '*': _, ...ids } = found?.params ?? {};
      return allow === undefined || Object.values(ids).includes('')
        ? new ServiceError('not_found')
        : new ServiceError('method_not_allowed', { headers: { allow } });
    },
  };
}

/**
 * One Host, which only HTTP/1.0 may leave out (RFC 9112, section 3.2). A proxy may see another end of a body with an
 * unknown coding, or any coding in HTTP/1.0 (6.1). @throws ServiceError
 */
function requireSoundHead(request: IncomingMessage): void {
  const { host, 'transfer-encoding': coding } = request.headers;
  const isOld = request.httpVersion === '1.0';
  if (coding !== undefined && (isOld || coding.toLowerCase() !== 'chunked'))
    throw new ServiceError('malformed_http', { headers: { connection: 'close' } });
  if ((host === undefined && !isOld) || isRepeated(request, 'host')) throw new ServiceError('malformed_http');
}

const isOptional = (schema: unknown) =>
  schema === undefined || [(schema as { type?: unknown }).type].flat().includes('null');

/** The router decodes paths, so `/%64ocs` is `/docs`. */
export const isBelow = (prefix: string, target: string): boolean =>
  (target.startsWith(prefix) || target.includes('%')) &&
  `${decodeURIComponent(target.split('?', 1)[0] ?? '')}/`.startsWith(`${prefix}/`);

/** Fastify adds a charset, which JSON does not have (RFC 8259, section 11). */
const plainJsonType: onSendAsyncHookHandler = async (_request, reply, payload) => {
  if (reply.getHeader('content-type') === 'application/json; charset=utf-8')
    void reply.type('application/json');
  return payload;
};

/** Fastify would read it to its end: a whole list of the database, faster than any client takes it. */
const endStreamOfHead: onSendAsyncHookHandler = async (_request, _reply, payload) => {
  if (payload instanceof Readable) payload.destroy();
  return payload;
};

/** Fastify says 0 for a HEAD. A 304 has none, as for a GET (RFC 9110, section 8.6). */
const removeLengthOf304: onSendAsyncHookHandler = async (_request, reply, payload) => {
  if (reply.statusCode === 304) void reply.removeHeader('content-length');
  return payload;
};

/**
 * The path and query of a request target (RFC 9112, section 3.2). The host of an absolute target is ignored.
 * A path with an invalid percent-encoding goes on as text, to 401 or 404.
 */
function readTarget(request: IncomingMessage): string {
  const target = request.url ?? '/';
  if (target.startsWith('/') && !target.includes('%')) return target;
  const absolute = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  const [path = '', ...query] = (absolute ? absolute.pathname + absolute.search : target).split('?');
  if (!path.startsWith('/')) return '/*';
  try {
    decodeURIComponent(path);
    return [path, ...query].join('?');
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

// Answers with any error in one form: {message, code, request_id, errors?}.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorObject } from 'ajv';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type ErrorCode, ServiceError } from '../errors.ts';
import { toFaults } from './faults.ts';
import { unsupportedMediaType } from './media-types.ts';
import { isForm } from './raw-body.ts';
import { onlyReads } from './request-headers.ts';
import { Closed } from './schemas.ts';
import { isScim, ScimError, scimBody, scimMediaType } from './scim.ts';

export const ErrorBody = Type.Object(
  {
    message: Type.String({ description: 'For people. The text may change.' }),
    code: Type.String({ description: 'For programs. One of the codes in docs/errors.md.' }),
    request_id: Type.String({ description: 'The X-Request-Id of this response.' }),
    errors: Type.Optional(
      Type.Array(
        Closed('ErrorFault', { pointer: Type.String(), code: Type.String(), message: Type.String() }),
        {
          description:
            'The faults of the request, 20 at most. `pointer` is a JSON pointer (RFC 6901) into the body, the query or the headers. The empty one is the request as a whole. `invalid_request` always has them.',
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        message: 'page_size must be between 1 and 1000.',
        code: 'invalid_request',
        request_id: '4b0f6f0e-3f0b-4b8e-9f0a-0b8a3c1d2e4f',
        errors: [
          { pointer: '/page_size', code: 'invalid_value', message: 'page_size must be between 1 and 1000' },
        ],
      },
    ],
  },
);

const oauthErrors = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'invalid_grant',
  'invalid_client',
  'invalid_request',
  'unsupported_grant_type',
] as const;
export type OauthCode = (typeof oauthErrors)[number];

/** The error of a request whose body is a form: that of E1, with the members of RFC 6749, section 5.2. */
export const OauthError = Type.Object(
  {
    error: Type.Enum([...oauthErrors]),
    error_description: Type.String(),
    message: Type.String(),
    code: Type.Enum(['invalid_request', 'malformed_http']),
    request_id: Type.String(),
  },
  {
    title: 'OauthError',
    description: 'What went wrong, as RFC 6749 (section 5.2) and RFC 8628 (section 3.5) name it',
    examples: [
      {
        error: 'authorization_pending',
        error_description: 'Nobody has approved the code yet. Ask again.',
        message: 'Nobody has approved the code yet. Ask again.',
        code: 'invalid_request',
        request_id: '0b7a1d0c-6c7e-4b0a-9d53-0d9b6c2f4a11',
      },
    ],
    additionalProperties: false,
  },
);

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ScimError) return sendScim(error, reply);
  const known = toServiceError(error, request);
  // Its statements were ended when the client left, or by our stop.
  const isUnheard = reply.raw.destroyed && (onlyReads(request) || !request.server.server.listening);
  // Anybody can ask for a provider of a company that does not answer: it is no fault of the program.
  const level = known.code === 'provider_unavailable' ? 'warn' : 'error';
  if (known.status >= 500 && !isUnheard) request.log[level]({ err: known.cause ?? known }, 'request failed');
  if (known.status === 401) void reply.header('www-authenticate', 'Bearer realm="concord"');
  // Fastify would close the connection: a client that still sends would lose the answer. Node skips the rest.
  if (reply.hasHeader('connection') && reply.raw.shouldKeepAlive)
    void reply.header('connection', 'keep-alive');
  // A cache that keeps a 412 would answer others with it (RFC 9111, section 3).
  if (String(reply.getHeader('cache-control')).startsWith('public'))
    void reply.header('cache-control', 'no-store');
  void reply.headers(known.headers);
  if (isScim(request)) return sendScim(known, reply);
  // The header can be the client's identifier of the request (rule R8).
  const requestId = String(reply.getHeader('x-request-id') ?? request.id);
  return send(reply, known.status, 'application/json', bodyFor(request, known, requestId));
}

const sendScim = (error: ScimError | ServiceError, reply: FastifyReply): FastifyReply =>
  send(reply, error.status, scimMediaType, scimBody(error));

const send = (reply: FastifyReply, status: number, type: string, body: object): FastifyReply =>
  reply.code(status).removeHeader('etag').type(type).serializer(JSON.stringify).send(body);

/** Answers a request that Fastify never got, and closes the connection, whatever the client does. */
export function answerOnSocket(error: ServiceError, socket: Socket): void {
  // Without a listener an error would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(rawResponse(error));
  socket.resume();
  setTimeout(() => socket.destroy(), 2_000).unref();
}

/** What Node's HTTP parser refused. `underWay`: the last response, into which no 400 may be written. */
export function answerSocketError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  underWay: ServerResponse | undefined,
): void {
  // A proxy that connects in advance would take it for the answer of its next request.
  const hasAsked = socket.bytesRead > 0;
  if (!hasAsked || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
  } else if (underWay?.req.complete && !underWay.writableFinished) {
    underWay.once('close', () => socket.destroy());
  } else if (underWay?.headersSent) {
    socket.destroy();
  } else {
    answerOnSocket(new ServiceError('malformed_http'), socket);
  }
}

function rawResponse(error: ServiceError): string {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${error.status === 400 ? 'Bad Request' : 'Method Not Allowed'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'API-Version: 2.0',
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

function bodyFor(request: FastifyRequest, error: ServiceError, requestId: string): object {
  const body = errorBody(error, requestId);
  if (error.status !== 400 || !isForm(request.routeOptions.schema?.body)) return body;
  const { errors = [], ...rest } = body;
  const message = errors.length > 1 ? `${errors.map((fault) => fault.message).join('; ')}.` : body.message;
  return { error: 'invalid_request', error_description: message, ...rest, message };
}

function errorBody(error: ServiceError, requestId: string): Static<typeof ErrorBody> {
  const { message, code, faults } = error;
  return { message, code, request_id: requestId, ...(faults.length > 0 && { errors: [...faults] }) };
}

function toServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  const { validation, code, statusCode } = error as Partial<FastifyError>;
  if (validation)
    return new ServiceError('invalid_request', { faults: toFaults(validation as ErrorObject[]) });
  const fromFramework = code === undefined ? undefined : frameworkCodes[code];
  const { bodyLimit } = request.routeOptions;
  if (fromFramework === 'body_too_large' && bodyLimit !== undefined) {
    const detail = `The request body must have at most ${bodyLimit / 1_024} KiB.`;
    return new ServiceError(fromFramework, { detail, cause: error });
  }
  if (fromFramework === 'unsupported_media_type') return unsupportedMediaType(request, error);
  if (fromFramework) return new ServiceError(fromFramework, { cause: error });
  const fromStatus = statusCode === undefined ? undefined : statusCodes[statusCode];
  if (fromStatus) return new ServiceError(fromStatus, { cause: error });
  return new ServiceError('internal', { cause: error });
}

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_http',
  FST_STATIC_FORBIDDEN_PATH: 'not_found',
};

/** Plug-ins throw errors that have only a status. */
const statusCodes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  412: 'precondition_failed',
};

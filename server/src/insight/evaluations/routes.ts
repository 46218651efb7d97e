// The HTTP of evaluations (OpenID AuthZEN Authorization API 1.0, sections 9 and 10).
import type { onRequestAsyncHookHandler, onSendAsyncHookHandler } from 'fastify';
import type { Access } from '../../access/index.ts';
import { sendRepresentation } from '../../base/http/entity-tag.ts';
import { readHeaders } from '../../base/http/request-headers.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Evaluations } from './evaluations.ts';
import * as wire from './schema.ts';

const toConfigurationJson = serializer(wire.Configuration);
const maxLoggedId = 200;

/**
 * Section 10.1.3: an answer has the identifier that the client gave its request. The log has it beside ours.
 */
const echoRequestId: onRequestAsyncHookHandler = async (request, reply) => {
  const id = request.headers['x-request-id'];
  if (typeof id !== 'string' || id === '') return;
  void reply.header('x-request-id', id);
  request.log = request.log.child({ client_request_id: id.slice(0, maxLoggedId) });
};

/**
 * Node writes the header section in the encoding of a text that follows it. With bytes it writes what the
 * client sent.
 */
const toBytes: onSendAsyncHookHandler = async (_request, _reply, payload) =>
  typeof payload === 'string' ? Buffer.from(payload) : payload;

type Options = { evaluations: Evaluations; access: Access; baseUrl: string };

export function registerEvaluationRoutes(
  server: HttpServer,
  { evaluations, access, baseUrl }: Options,
): void {
  const common = { tags: ['Evaluations'], security: [{ bearer: [] }], headers: wire.RequestIdHeader };
  const hooks = { onRequest: [echoRequestId, access.signedIn.hook], onSend: toBytes };

  server.post(
    '/access/v1/evaluation',
    {
      ...hooks,
      schema: {
        ...common,
        operationId: 'evaluateAccess',
        'x-errors': [400, 401, 403],
        summary: 'Ask whether a person may do something to a partner',
        description:
          'OpenID AuthZEN Authorization API 1.0. Callers can always ask about themselves. To ask about others they need `agreements.query` on the partner.',
        body: wire.EvaluationRequest,
        response: { 200: wire.Evaluation },
      },
    },
    (request) => evaluations.evaluate(access.signedIn.granted(request), request.body),
  );

  server.post(
    '/access/v1/evaluations',
    {
      ...hooks,
      schema: {
        ...common,
        operationId: 'evaluateAccesses',
        'x-errors': [400, 401, 403],
        summary: 'Ask many such questions at once',
        description: `OpenID AuthZEN Authorization API 1.0. At most ${wire.maxEvaluations} evaluations. Without any, the answer is that of a single question.`,
        body: wire.EvaluationsRequest,
        response: { 200: wire.EvaluationsAnswer },
      },
    },
    (request) => evaluations.evaluateAll(access.signedIn.granted(request), request.body),
  );

  const configuration = toConfigurationJson({
    policy_decision_point: baseUrl,
    access_evaluation_endpoint: `${baseUrl}/access/v1/evaluation`,
    access_evaluations_endpoint: `${baseUrl}/access/v1/evaluations`,
  });
  server.get(
    '/.well-known/authzen-configuration',
    {
      onRequest: access.anyone,
      schema: {
        operationId: 'getAuthzenConfiguration',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        tags: common.tags,
        summary: 'Get the addresses of the evaluation operations',
        description:
          'OpenID AuthZEN Authorization API 1.0, section 9. Clients find the evaluation operations with it.',
        response: { 200: wire.Configuration },
      },
    },
    async (request, reply) => {
      void reply.header('cache-control', 'public, max-age=3600');
      return sendRepresentation(request, reply, configuration);
    },
  );
}

// Questions about access by OpenID AuthZEN Authorization API 1.0.

import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { type Access, createRoutes } from '../../access/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { createEvaluationOperations, type Evaluations } from './evaluations.ts';
import * as wire from './schema.ts';

type Options = Parameters<typeof createEvaluationOperations>[0] & { access: Access; baseUrl: string };

export function createEvaluations({ access, baseUrl, ...options }: Options): Feature {
  const evaluations = createEvaluationOperations(options);
  return { routes: (server) => registerRoutes(server, { evaluations, access, baseUrl }) };
}

const maxLoggedId = 200;

/** Section 10.1.3: an answer has the client's identifier of the request. */
function echoRequestId(request: FastifyRequest, reply: FastifyReply): void {
  const id = request.headers['x-request-id'];
  if (typeof id !== 'string' || id === '') return;
  void reply.header('x-request-id', id);
  request.log = request.log.child({ client_request_id: id.slice(0, maxLoggedId) });
}

/** With bytes, Node writes the header section as the client sent it. */
const toBytes: onSendAsyncHookHandler = async (_request, _reply, payload) =>
  typeof payload === 'string' ? Buffer.from(payload) : payload;

function registerRoutes(
  server: HttpServer,
  { evaluations, access, baseUrl }: Pick<Options, 'access' | 'baseUrl'> & { evaluations: Evaluations },
): void {
  const routes = createRoutes(server, 'Evaluations');
  const { signedIn } = access;
  const common = {
    access: {
      ...signedIn,
      hook: (request, reply) => {
        echoRequestId(request, reply);
        return signedIn.hook.call(request.server, request, reply);
      },
    } satisfies typeof signedIn,
    errors: [400, 401, 403],
    schema: { headers: wire.RequestIdHeader },
    onSend: toBytes,
  };

  routes.plain('POST', '/access/v1/evaluation', {
    ...common,
    operationId: 'evaluateAccess',
    summary: 'Ask whether a person may do something to a partner',
    description:
      'OpenID AuthZEN Authorization API 1.0. Callers can always ask about themselves. To ask about others they need `agreements.query` on the partner.',
    body: wire.EvaluationRequest,
    answer: wire.Evaluation,
    run: ({ granted, body }) => evaluations.evaluate(granted, body),
  });

  routes.plain('POST', '/access/v1/evaluations', {
    ...common,
    operationId: 'evaluateAccesses',
    summary: 'Ask many such questions at once',
    description: `OpenID AuthZEN Authorization API 1.0. At most ${wire.maxEvaluations} evaluations. Without any, the answer is that of a single question.`,
    body: wire.EvaluationsRequest,
    answer: wire.EvaluationsAnswer,
    run: ({ granted, body }) => evaluations.evaluateAll(granted, body),
  });

  routes.read('/.well-known/authzen-configuration', {
    operationId: 'getAuthzenConfiguration',
    summary: 'Get the addresses of the evaluation operations',
    description:
      'OpenID AuthZEN Authorization API 1.0, section 9. Clients find the evaluation operations with it.',
    access: access.anyone,
    answer: wire.Configuration,
    run({ reply }) {
      void reply.header('cache-control', 'public, max-age=3600');
      return {
        policy_decision_point: baseUrl,
        access_evaluation_endpoint: `${baseUrl}/access/v1/evaluation`,
        access_evaluations_endpoint: `${baseUrl}/access/v1/evaluations`,
      };
    },
  });
}

// A span for each request whose path is a route. Hooks of routes and handlers run inside it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAttached } from '../attached.ts';
import type { Span, Tracing } from './tracing.ts';

type Hooks = Pick<FastifyInstance, 'addHook'>;

export function traceRequests(server: Hooks, tracing: Tracing): void {
  if (!tracing.isOn) return;
  const spans = createAttached<FastifyRequest, Span>();
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { traceparent } = request.headers;
    const span = tracing.start(`${request.method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'concord.request.id': request.id,
      },
    });
    spans.set(request, span);
    span.run(done);
  });
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request);
    span?.setAttributes({ 'http.response.status_code': statusCode });
    span?.end(statusCode >= 500 ? { name: String(statusCode) } : undefined);
    done();
  });
}

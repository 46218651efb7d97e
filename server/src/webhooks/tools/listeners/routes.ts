// The HTTP of listeners.
import { Type } from 'typebox';
import { type Access, createRoutes, partnerOnly } from '../../../access/index.ts';
import { PathId } from '../../../base/http/schemas.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { requireStillAllowed } from '../../../base/http/still-allowed.ts';
import { oneOf } from '../../endpoints/routes.ts';
import * as endpoint from '../../endpoints/schema.ts';
import type { Listeners } from './listeners.ts';
import * as wire from './schema.ts';

type Options = { listeners: Listeners; access: Access };

const requestId = Type.String({ format: 'uuid', description: 'The `id` of the request in the stream' });

export function registerListenerRoutes(server: HttpServer, { listeners, access }: Options): void {
  const routes = createRoutes(server, 'Webhook endpoints');
  const one = oneOf(access);

  routes.create('/partners/:id/listeners', {
    namesPerson: false,
    operationId: 'createListener',
    summary: 'Create a listener',
    description:
      'A sandbox endpoint for a command on the machine of a developer. Its requests are signed for `forward_to`, and the command fetches them: nothing is sent to that URL. It is deleted when no command has fetched from it for five minutes.',
    access: access.onPartner({ resource: 'webhook_endpoints', method: 'post' }, partnerOnly),
    body: wire.CreateListener,
    answer: endpoint.Endpoint,
    run: ({ granted, body, key }) => listeners.create(granted, body, key),
  });

  routes.plain('GET', '/partners/:id/listeners/:endpoint_id/requests', {
    operationId: 'streamListenerRequests',
    summary: 'Receive the requests of a listener',
    description:
      'Server-sent events: one `request` for each request that waits for an answer, with its method, URL, headers and body as a receiver gets them. The stream ends after a minute; the next one begins with what has no answer yet, so nothing is lost in between. Open only one stream at a time.',
    access: one('post'),
    errors: [404],
    noStore: true,
    answer: Type.Unsafe<string>({
      description: 'The stream',
      content: { 'text/event-stream': { schema: Type.String() } },
    }),
    async run({ granted, request, reply }) {
      const isHead = request.method === 'HEAD';
      const stream = await listeners.stream(granted, () => requireStillAllowed(request), isHead);
      // Proxies would keep it back until it is large.
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream);
    },
  });

  routes.plain('POST', '/partners/:id/listeners/:endpoint_id/requests/:request_id/answer', {
    operationId: 'answerListenerRequest',
    summary: 'Answer a request of a listener',
    description:
      'Tells what the receiver answered, or why it did not. The attempt is recorded with it. 404: the request no longer waits for an answer.',
    access: one('post'),
    params: Type.Object({
      id: PathId('The partner'),
      endpoint_id: PathId('The endpoint'),
      request_id: requestId,
    }),
    errors: [404],
    body: wire.ListenerAnswer,
    bodyLimit: 128 * 1024,
    answer: Type.Null({ description: 'The answer was taken' }),
    async run({ granted, params, body }) {
      await listeners.answer(granted, params.request_id, body);
      return null;
    },
  });
}

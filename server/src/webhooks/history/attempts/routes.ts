// The HTTP of single attempts.
import type { Access } from '../../../access/index.ts';
import { sendRepresentation } from '../../../base/http/entity-tag.ts';
import { readHeaders } from '../../../base/http/request-headers.ts';
import { serializer } from '../../../base/http/serialization.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { deliveryRead } from '../deliveries/store.ts';
import type { Attempts } from './attempts.ts';
import * as wire from './schema.ts';

const toJson = serializer(wire.AttemptWithRequest);

type Options = { attempts: Attempts; access: Access };

export function registerAttemptRoutes(server: HttpServer, { attempts, access }: Options): void {
  const get = access.onPartner({ resource: 'deliveries', method: 'get' }, deliveryRead);
  server.get(
    '/partners/:id/deliveries/:delivery_id/attempts/:number',
    {
      onRequest: get.hook,
      schema: {
        tags: ['Deliveries'],
        security: [{ bearer: [] }],
        operationId: 'getAttempt',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get an attempt with its request',
        description: 'Shows the request as it was signed, with the text that the signature covers.',
        params: wire.AttemptPath,
        response: { 200: wire.AttemptWithRequest },
      },
    },
    async (request, reply) =>
      sendRepresentation(
        request,
        reply,
        toJson(await attempts.get(get.granted(request), request.params.number)),
      ),
  );
}

// The HTTP of single attempts.
import { type Access, createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { deliveryRead } from '../deliveries/store.ts';
import type { Attempts } from './attempts.ts';
import { AttemptWithRequest } from './schema.ts';

type Options = { attempts: Attempts; access: Access };

export function registerAttemptRoutes(server: HttpServer, { attempts, access }: Options): void {
  createRoutes(server, 'Deliveries').read('/partners/:id/deliveries/:delivery_id/attempts/:number', {
    operationId: 'getAttempt',
    summary: 'Get an attempt with its request',
    description: 'Shows the request as it was signed, with the text that the signature covers.',
    access: access.onPartner({ resource: 'deliveries', method: 'get' }, deliveryRead),
    answer: AttemptWithRequest,
    run: ({ granted, params }) => attempts.get(granted, params.number),
  });
}

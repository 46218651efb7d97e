// The HTTP of checks of endpoints.
import { type Access, createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { oneOf, onePath } from '../../endpoints/routes.ts';
import { endpointRead } from '../../endpoints/store.ts';
import type { EndpointChecks } from './checks.ts';
import * as wire from './schema.ts';

type Options = { endpointChecks: EndpointChecks; access: Access };

export function registerEndpointCheckRoutes(
  server: HttpServer,
  { endpointChecks: checks, access }: Options,
): void {
  const routes = createRoutes(server, 'Webhook endpoints');
  const path = `${onePath}/check` as const;
  const one = oneOf(access);

  routes.create(path, {
    namesPerson: false,
    operationId: 'checkWebhookEndpoint',
    summary: 'Check whether a receiver is ready',
    description:
      'Sends correct requests, which the receiver must accept, and forged ones, which it must refuse. The check runs in the background: GET it to see its cases. ' +
      'The correct requests carry the example of the first type that the endpoint wants. A live endpoint that is in use is not checked.',
    access: one('post'),
    status: 202,
    answer: wire.EndpointCheck,
    run: ({ granted, key }) => checks.start(granted, key),
  });

  routes.read(path, {
    operationId: 'getWebhookEndpointCheck',
    summary: 'Get the check of a webhook endpoint',
    description:
      'The last check of the present URL, or its waiver, with the cases as they end. 404: the present URL was never checked.',
    access: one('get'),
    answer: wire.EndpointCheck,
    run: ({ granted }) => checks.get(granted),
  });

  routes.create(`${path}/waive`, {
    namesPerson: false,
    operationId: 'waiveWebhookEndpointCheck',
    summary: 'Waive the check of a webhook endpoint (operators)',
    description:
      'The endpoint gets its deliveries without a check, until its URL changes. The audit log keeps the reason.',
    access: access.asOperator('webhook_endpoint.waive_check', endpointRead),
    body: wire.WaiveCheck,
    status: 200,
    answer: wire.EndpointCheck,
    run: ({ granted, body, key }) => checks.waive(granted, body, key),
  });
}

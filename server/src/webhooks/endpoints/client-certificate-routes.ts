// The HTTP of the client certificate of an endpoint.
import { type Access, createRoutes } from '../../access/index.ts';
import type { Method } from '../../access/permissions/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import * as wire from './client-certificate/schema.ts';
import type { ClientCertificates } from './client-certificates.ts';
import { endpointRead } from './store.ts';

type Options = { certificates: ClientCertificates; access: Access };

export function registerClientCertificateRoutes(server: HttpServer, { certificates, access }: Options): void {
  const routes = createRoutes(server, 'Webhook endpoints');
  const path = '/partners/:id/webhook-endpoints/:endpoint_id/client-certificate';
  const one = (method: Method) => access.onPartner({ resource: 'webhook_endpoints', method }, endpointRead);

  routes.read(path, {
    operationId: 'getClientCertificate',
    summary: 'Get the client certificate',
    description:
      'The certificate with which Concord connects to the endpoint, and the request for one (CSR) if Concord made the key. The private key is never shown.',
    access: one('get'),
    answer: wire.ClientCertificate,
    run: ({ granted }) => certificates.get(granted),
  });

  routes.plain('PUT', path, {
    operationId: 'putClientCertificate',
    summary: 'Set the client certificate',
    description:
      'From the next attempt on, Concord shows this certificate to receivers that ask for one in TLS. Without `private_key`, it is the certificate that an authority has signed for the key that Concord made.',
    access: one('patch'),
    body: wire.PutClientCertificate,
    answer: wire.ClientCertificate,
    run: ({ granted, body }) => certificates.put(granted, body),
  });

  routes.plain('POST', path, {
    operationId: 'makeClientCertificate',
    summary: 'Make a client certificate',
    description:
      'Concord makes a new key (P-256), with a certificate for two years that it signs itself, and a request for one (CSR) that an authority can sign. It replaces the present one at once.',
    access: one('patch'),
    status: 201,
    answer: wire.ClientCertificate,
    run: ({ granted }) => certificates.make(granted),
  });

  routes.remove(path, {
    operationId: 'deleteClientCertificate',
    summary: 'Delete the client certificate',
    description: 'From the next attempt on, Concord connects without a certificate.',
    access: one('patch'),
    errors: [404],
    run: ({ granted, ifMatch }) => certificates.remove(granted, ifMatch),
  });
}

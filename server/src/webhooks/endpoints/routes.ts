// The HTTP of webhook endpoints.
import { type Access, createRoutes, partnerOnly } from '../../access/index.ts';
import type { Method } from '../../access/permissions/index.ts';
import { changeHeaders } from '../../base/http/request-headers.ts';
import type { HttpServer } from '../../base/http/server.ts';
import * as certificate from './client-certificate/schema.ts';
import type { ClientCertificates } from './client-certificates.ts';
import type { Endpoints } from './endpoints.ts';
import * as wire from './schema.ts';
import type { SigningSecrets } from './signing-secret.ts';
import { endpointRead, toEndpoint } from './store.ts';

export const onePath = '/partners/:id/webhook-endpoints/:endpoint_id';
/** Rules for one endpoint. */
export const oneOf = (access: Access) => (method: Method) =>
  access.onPartner({ resource: 'webhook_endpoints', method }, endpointRead);

type Options = {
  endpoints: Endpoints;
  signingSecrets: SigningSecrets;
  certificates: ClientCertificates;
  access: Access;
};

export function registerEndpointRoutes(server: HttpServer, { endpoints, access }: Options): void {
  const routes = createRoutes(server, 'Webhook endpoints');
  const all = (method: Method) => access.onPartner({ resource: 'webhook_endpoints', method }, partnerOnly);
  const one = oneOf(access);

  routes.list('/partners/:id/webhook-endpoints', {
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'The URLs that receive webhooks of the partner, with the state of each.',
    access: all('query'),
    definition: wire.endpointList,
    item: wire.Endpoint,
    run: ({ granted, filter }) => endpoints.list(granted, filter),
  });

  routes.create('/partners/:id/webhook-endpoints', {
    namesPerson: false,
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: 'The endpoint gets events that are published from now on.',
    access: all('post'),
    body: wire.CreateEndpoint,
    answer: wire.Endpoint,
    run: ({ granted, body, key }) => endpoints.create(granted, body, key),
  });

  routes.read(onePath, {
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    description: 'One endpoint with its state and limits. Of its headers, only the names are shown.',
    access: one('get'),
    answer: wire.Endpoint,
    run: ({ granted }) => toEndpoint(granted.row),
  });

  routes.change(onePath, {
    operationId: 'updateWebhookEndpoint',
    summary: 'Update a webhook endpoint',
    description:
      'Changes only the members that are given. An endpoint with headers or an authentication that moves to another origin needs them too.',
    access: one('patch'),
    body: wire.UpdateEndpoint,
    answer: wire.Endpoint,
    run: ({ granted, body, ifMatch }) => endpoints.update(granted, body, ifMatch),
  });

  routes.act(`${onePath}/pause`, {
    namesPerson: false,
    operationId: 'pauseWebhookEndpoint',
    summary: 'Pause a webhook endpoint',
    description: 'Its deliveries wait until it is resumed. A disabled endpoint cannot be paused.',
    access: one('post'),
    answer: wire.Endpoint,
    run: ({ granted, key, ifMatch }) => endpoints.act(granted, 'pause', key, { ifMatch }),
  });

  routes.act(`${onePath}/resume`, {
    namesPerson: false,
    operationId: 'resumeWebhookEndpoint',
    summary: 'Resume a webhook endpoint',
    description:
      'Sends the deliveries that became due. With `send_now`, also those that wait for a retry: this needs the permission `deliveries.post`. ' +
      'Also enables a disabled endpoint. The body can be left out.',
    access: one('post'),
    body: wire.ResumeEndpoint,
    answer: wire.Endpoint,
    run: ({ granted, key, ifMatch, body }) =>
      endpoints.act(granted, 'resume', key, { ifMatch, sendNow: body?.send_now }),
  });

  routes.remove(onePath, {
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing is sent to the endpoint any more.',
    access: one('delete'),
    run: ({ granted, ifMatch }) => endpoints.delete(granted, ifMatch),
  });
}

export function registerEndpointSecretRoutes(
  server: HttpServer,
  { signingSecrets, certificates, access }: Options,
): void {
  const routes = createRoutes(server, 'Webhook endpoints');
  const one = oneOf(access);

  routes.plain('POST', `${onePath}/signing-secret`, {
    operationId: 'rotateSigningSecret',
    summary: 'Make a new signing secret',
    description:
      'From now on, requests are also signed with this secret, as Standard Webhooks v1 does. The secret before stays valid for 24 hours. Only this response shows the secret. The present secret in the body changes nothing. The body can be left out.',
    access: one('patch'),
    noStore: true,
    status: 201,
    schema: { headers: changeHeaders },
    body: wire.RotateSigningSecret,
    answer: wire.SigningSecret,
    run: ({ granted, body, ifMatch }) => signingSecrets.rotate(granted, body?.secret, ifMatch),
  });

  routes.remove(`${onePath}/signing-secret`, {
    operationId: 'deleteSigningSecret',
    summary: 'Delete the signing secret',
    description: 'Requests are signed by RFC 9421 only, from the next attempt on.',
    access: one('patch'),
    errors: [404],
    run: ({ granted, ifMatch }) => signingSecrets.remove(granted, ifMatch),
  });

  const path = `${onePath}/client-certificate` as const;

  routes.read(path, {
    operationId: 'getClientCertificate',
    summary: 'Get the client certificate',
    description:
      'The certificate with which Concord connects to the endpoint, and the request for one (CSR) if Concord made the key. The private key is never shown.',
    access: one('get'),
    answer: certificate.ClientCertificate,
    run: ({ granted }) => certificates.get(granted),
  });

  routes.change(path, {
    method: 'PUT',
    operationId: 'putClientCertificate',
    summary: 'Set the client certificate',
    description:
      'From the next attempt on, Concord shows this certificate to receivers that ask for one in TLS. Without `private_key`, it is the certificate that an authority has signed for the key that Concord made.',
    access: one('patch'),
    body: certificate.PutClientCertificate,
    answer: certificate.ClientCertificate,
    run: ({ granted, body, ifMatch }) => certificates.put(granted, body, ifMatch),
  });

  routes.act(path, {
    namesPerson: false,
    operationId: 'makeClientCertificate',
    summary: 'Make a client certificate',
    description:
      'Concord makes a new key (P-256), with a certificate for two years that it signs itself, and a request for one (CSR) that an authority can sign. It replaces the present one at once.',
    access: one('patch'),
    status: 201,
    answer: certificate.ClientCertificate,
    run: ({ granted, key, ifMatch }) => certificates.make(granted, key, ifMatch),
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

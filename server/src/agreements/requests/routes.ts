// The HTTP of access requests.
import { createRoutes, type Granted, partnerOnly } from '../../access/index.ts';
import type { Method, OwnRight } from '../../access/permissions/index.ts';
import { forbidden } from '../../base/errors.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Options } from '../options.ts';
import { createAccessRequests } from './access-requests.ts';
import * as wire from './schema.ts';
import { requestRead, toRequest } from './store.ts';

const all = '/partners/:id/access-requests';
const one = `${all}/:access_request_id` as const;

const acting = {
  answer: wire.AccessRequest,
  namesPerson: true,
  errors: [404, 409],
  beforeBody: requireSession,
};

export function registerRequestRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Access requests');
  const requests = createAccessRequests(options);
  const may = (method: Method, ownRight?: OwnRight) =>
    options.access.onPartner({ resource: 'agreements', method }, requestRead, ownRight);

  routes.list(all, {
    operationId: 'listAccessRequests',
    summary: 'List access requests',
    description:
      'What members ask for. Without the permission `agreements.query`, the list has only your own requests.',
    access: options.access.asMember(partnerOnly),
    definition: wire.accessRequestList,
    item: wire.AccessRequest,
    run: ({ granted, filter }) => requests.list(granted, filter),
  });

  routes.create(all, {
    operationId: 'createAccessRequest',
    summary: 'Ask for access',
    description:
      'Asks for permissions that you lack, for some time. People who could approve the request get a mail. If the same permissions are pending, the answer is that request, with 200. Requires a session.',
    access: options.access.asMember(partnerOnly),
    beforeBody: requireSession,
    errors: [400, 404],
    body: wire.CreateAccessRequest,
    answer: wire.AccessRequest,
    otherAnswers: { 200: wire.AccessRequest },
    namesPerson: true,
    run: ({ granted, body, key }) => requests.create(granted, body, key),
  });

  routes.read(one, {
    operationId: 'getAccessRequest',
    summary: 'Get an access request',
    description: 'Callers can always read their own.',
    access: may('get', 'answer'),
    errors: [404],
    answer: wire.AccessRequest,
    run: ({ granted }) => toRequest(granted.row),
  });

  routes.act(`${one}/approve`, {
    ...acting,
    operationId: 'approveAccessRequest',
    summary: 'Approve an access request',
    description:
      'Gives the agreement these permissions until the time is over. You must be allowed to grant exactly that. Nobody approves their own. Requires a session.',
    access: may('patch'),
    run: ({ granted, key, ifMatch }) => requests.approve(granted, { key, ifMatch }),
  });

  routes.act(`${one}/deny`, {
    ...acting,
    operationId: 'denyAccessRequest',
    summary: 'Deny an access request',
    description: 'The person who asked gets a mail, with your note. Requires a session.',
    access: may('patch'),
    body: wire.DenyAccessRequest,
    run: ({ granted, key, ifMatch, body }) => requests.deny(granted, { key, ifMatch }, body?.note ?? null),
  });

  routes.act(`${one}/withdraw`, {
    ...acting,
    operationId: 'withdrawAccessRequest',
    summary: 'Withdraw your access request',
    description: 'Only the person who asked can do it, while the request is pending. Requires a session.',
    access: may('patch', 'leave'),
    run: ({ granted, key, ifMatch }) => requests.withdraw(granted, { key, ifMatch }),
  });

  routes.act(`${one}/revoke`, {
    ...acting,
    operationId: 'revokeAccessRequest',
    summary: 'End the access of an approved request',
    description: 'The person who asked can do it, too. Requires a session.',
    access: may('patch', 'leave'),
    run: ({ granted, key, ifMatch }) => requests.revoke(granted, { key, ifMatch }),
  });
}

/** A program must not widen its own access, or give access. */
function requireSession({ granted }: { granted: Granted }) {
  if (granted.principal.credential.kind !== 'session')
    throw forbidden('Asking for access, and answering requests, require a session.');
}

// The HTTP of service accounts and their access tokens, for owners.
import { Type } from 'typebox';
import { createRoutes, partnerOnly } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { accessTokens, tokenWire } from '../../people/index.ts';
import type { Options } from '../options.ts';
import * as wire from './schema.ts';
import { createServiceAccounts } from './service-accounts.ts';
import { serviceAccountRead, serviceAccountsOf, toServiceAccount } from './store.ts';

const all = '/partners/:id/service-accounts';
const one = `${all}/:service_account_id` as const;
const tokens = `${one}/access-tokens` as const;

export function registerServiceAccountRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Service accounts');
  const { db, access } = options;
  const serviceAccounts = createServiceAccounts(options);
  const may = (action: string) => access.asOwner(`service_account.${action}`, serviceAccountRead);

  routes.list(all, {
    operationId: 'listServiceAccounts',
    summary: 'List the service accounts of a partner',
    description: 'Programs of the partner. Each has an agreement that says what it may do.',
    access: access.asOwner('service_account.list', partnerOnly),
    definition: wire.serviceAccountList,
    item: wire.ServiceAccount,
    run: ({ granted }) => serviceAccountsOf(db, granted.partnerId),
  });

  routes.create(all, {
    namesPerson: false,
    operationId: 'createServiceAccount',
    summary: 'Create a service account',
    description:
      'Creates an agreement too, which grants nothing yet: update it to give permissions. A partner can have 100 service accounts.',
    access: access.asOwner('service_account.create', partnerOnly),
    body: wire.CreateServiceAccount,
    answer: wire.ServiceAccount,
    run: ({ granted, body, key }) => serviceAccounts.create(granted, body.name, key),
  });

  routes.read(one, {
    operationId: 'getServiceAccount',
    summary: 'Get a service account',
    description: 'A program of the partner, without its access tokens.',
    access: may('get'),
    answer: wire.ServiceAccount,
    run: ({ granted }) => toServiceAccount(granted.row),
  });

  routes.remove(one, {
    operationId: 'deleteServiceAccount',
    summary: 'Delete a service account with its agreement and access tokens',
    description: 'Its access tokens stop working at once.',
    access: may('delete'),
    run: ({ granted, ifMatch }) => serviceAccounts.delete(granted, ifMatch),
  });

  routes.list(tokens, {
    operationId: 'listServiceAccountTokens',
    summary: 'List the access tokens of a service account',
    description: 'The tokens themselves are not shown again: only the answer that created one has it.',
    access: may('list_tokens'),
    definition: tokenWire.tokenList,
    item: tokenWire.AccessToken,
    run: ({ granted }) => accessTokens.tokensOf(db, granted.row.user_id),
  });

  routes.plain('POST', tokens, {
    operationId: 'createServiceAccountToken',
    summary: 'Create an access token for a service account',
    description:
      'Only this response shows the token. The session needs a recent proof of its user, as in POST /me/access-tokens.',
    // The token outlives the session, and a new password of the owner does not end it.
    access: access.asOwner('service_account.create_token', serviceAccountRead, { needsProof: true }),
    noStore: true,
    body: tokenWire.CreateServiceAccessToken,
    status: 201,
    answer: tokenWire.CreatedAccessToken,
    run: ({ granted, body }) => serviceAccounts.createToken(granted, body),
  });

  routes.plain('DELETE', `${tokens}/:token_id`, {
    operationId: 'revokeServiceAccountToken',
    summary: 'Revoke an access token of a service account',
    description: 'The token stops working at once.',
    access: may('revoke_token'),
    answer: Type.Null({ description: 'Deleted' }),
    run: ({ granted, params }) => serviceAccounts.revokeToken(granted, params.token_id),
  });
}

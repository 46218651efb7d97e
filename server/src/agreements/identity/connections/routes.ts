// The HTTP of identity connections, for owners.
import { createRoutes, partnerOnly } from '../../../access/index.ts';
import type { GuardedFetch } from '../../../base/egress/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Options } from '../../options.ts';
import { createConnections } from './connections.ts';
import * as wire from './schema.ts';
import { connectionRead } from './store.ts';

const needsProof = { needsProof: true };

const all = '/partners/:id/connections';
const one = `${all}/:connection_id` as const;

export function registerConnectionRoutes(server: HttpServer, options: Options, fetch: GuardedFetch) {
  const routes = createRoutes(server, 'Identity connections');
  const { access } = options;
  const connections = createConnections(options, fetch);
  const may = (action: string) => access.asOwner(`connection.${action}`, connectionRead, needsProof);

  routes.list(all, {
    operationId: 'listConnections',
    summary: 'List the identity connections of a partner',
    description: 'The OpenID Connect providers with which people of the partner sign in.',
    access: access.asOwner('connection.list', partnerOnly),
    definition: wire.connectionList,
    item: wire.Connection,
    run: ({ granted }) => connections.list(granted),
  });

  routes.create(all, {
    namesPerson: false,
    operationId: 'createConnection',
    summary: 'Create an identity connection',
    description:
      'Reads the discovery document of the issuer. The connection is off until it was tested and has a verified domain. A partner can have 5.',
    access: access.asOwner('connection.create', partnerOnly, needsProof),
    body: wire.CreateConnection,
    answer: wire.Connection,
    run: ({ granted, body, key }) => connections.create(granted, body, key),
  });

  routes.read(one, {
    operationId: 'getConnection',
    summary: 'Get an identity connection',
    description: 'Without its secret.',
    access: access.asOwner('connection.get', connectionRead),
    answer: wire.Connection,
    run: ({ granted }) => connections.get(granted),
  });

  routes.change(one, {
    operationId: 'updateConnection',
    summary: 'Change an identity connection',
    description:
      'Another issuer or client turns the connection off until it is tested again, and ends what it proved.',
    access: may('update'),
    body: wire.UpdateConnection,
    answer: wire.Connection,
    run: ({ granted, body, ifMatch }) => connections.update(granted, body, ifMatch),
  });

  routes.change(`${one}/enable`, {
    method: 'PUT',
    operationId: 'enableConnection',
    summary: 'Turn an identity connection on',
    description: 'It must be tested, and have a verified domain.',
    access: may('enable'),
    answer: wire.Connection,
    run: ({ granted, ifMatch }) => connections.enable(granted, ifMatch),
  });

  routes.change(`${one}/disable`, {
    method: 'PUT',
    operationId: 'disableConnection',
    summary: 'Turn an identity connection off',
    description: 'Ends what it proved. The last one stays on while single sign-on is required.',
    access: may('disable'),
    answer: wire.Connection,
    run: ({ granted, ifMatch }) => connections.disable(granted, ifMatch),
  });

  routes.remove(one, {
    operationId: 'deleteConnection',
    summary: 'Delete an identity connection with its domains',
    description:
      'People no longer sign in with it. Agreements that it made stay. The last one stays while single sign-on is required.',
    access: may('delete'),
    run: ({ granted, ifMatch }) => connections.delete(granted, ifMatch),
  });
}

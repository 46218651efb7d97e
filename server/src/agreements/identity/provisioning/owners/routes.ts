// The HTTP of provisioning for owners.
import { Type } from 'typebox';
import { createRoutes } from '../../../../access/index.ts';
import type { HttpServer } from '../../../../base/http/server.ts';
import type { Options } from '../../../options.ts';
import { connectionRead } from '../../connections/store.ts';
import { createProvisioningOfOwners } from './provisioning.ts';
import * as wire from './schema.ts';
import { groupsOf, provisionedGroupRead, toGroup } from './store.ts';

const needsProof = { needsProof: true };

export function registerProvisioningRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Provisioning');
  const { db, access } = options;
  const provisioning = createProvisioningOfOwners(options);
  const path = '/partners/:id/connections/:connection_id';

  routes.read(`${path}/provisioning`, {
    operationId: 'getProvisioning',
    summary: 'Get the state of provisioning',
    description:
      'The base URL of SCIM 2.0 (RFC 7644), its token, counts, and the last requests of the directory.',
    access: access.asOwner('provisioning.get', connectionRead),
    answer: wire.Provisioning,
    run: ({ granted }) => provisioning.read(granted),
  });
  routes.plain('POST', `${path}/provisioning-token`, {
    operationId: 'createProvisioningToken',
    summary: 'Create the token of the directory',
    description: 'Only this response shows it. It replaces the token that the connection has.',
    access: access.asOwner('provisioning_token.create', connectionRead, needsProof),
    noStore: true,
    status: 201,
    answer: wire.CreatedProvisioningToken,
    run: ({ granted }) => provisioning.createToken(granted),
  });
  routes.plain('DELETE', `${path}/provisioning-token`, {
    operationId: 'revokeProvisioningToken',
    summary: 'Revoke the token of the directory',
    description: 'It stops working at once. People keep their agreements.',
    access: access.asOwner('provisioning_token.revoke', connectionRead, needsProof),
    answer: Type.Null({ description: 'Deleted' }),
    run: ({ granted }) => provisioning.deleteToken(granted),
  });
  routes.list(`${path}/provisioned-groups`, {
    operationId: 'listProvisionedGroups',
    summary: 'List the groups of the directory',
    description: 'With the permission group that each gives to its members.',
    access: access.asOwner('provisioned_group.list', connectionRead),
    definition: wire.groupList,
    item: wire.ProvisionedGroup,
    run: ({ granted }) => groupsOf(db, granted.row.connection_id),
  });
  routes.read(`${path}/provisioned-groups/:provisioned_group_id`, {
    operationId: 'getProvisionedGroup',
    summary: 'Get a group of the directory',
    description: 'With the permission group that it gives to its members.',
    access: access.asOwner('provisioned_group.get', provisionedGroupRead),
    answer: wire.ProvisionedGroup,
    run: ({ granted }) => toGroup(granted.row),
  });
  routes.change(`${path}/provisioned-groups/:provisioned_group_id`, {
    method: 'PUT',
    operationId: 'mapProvisionedGroup',
    summary: 'Map a group of the directory to a permission group',
    description: 'Its members get the permission group, and lose the one that it gave before.',
    access: access.asOwner('provisioned_group.map', provisionedGroupRead, needsProof),
    body: wire.MapGroup,
    answer: wire.ProvisionedGroup,
    run: ({ granted, body, ifMatch }) => provisioning.map(granted, body.acl_permission_group_id, ifMatch),
  });
}

// The HTTP of permission groups.
import { createRoutes, partnerOnly } from '../../access/index.ts';
import type { Method } from '../../access/permissions/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Options } from '../options.ts';
import { AclPermissionGroup } from '../schema.ts';
import { createPermissionGroups } from './groups.ts';
import * as wire from './schema.ts';
import { groupRead, groupsOf, toGroup } from './store.ts';

const all = '/partners/:id/acl-permission-groups';
const one = `${all}/:group_id` as const;

const mayAll =
  ({ access }: Options) =>
  (method: Method) =>
    access.onPartner({ resource: 'acl_permission_groups', method }, partnerOnly);

export function registerGroupRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Permission groups');
  const { db, access } = options;
  const groups = createPermissionGroups(options);
  const may = mayAll(options);
  const mayOne = (method: Method) =>
    access.onPartner({ resource: 'acl_permission_groups', method }, groupRead);

  routes.list(all, {
    operationId: 'listAclPermissionGroups',
    summary: 'List the permission groups of a partner',
    description: 'Custom groups of the partner, and managed groups.',
    access: may('query'),
    definition: wire.groupList,
    item: AclPermissionGroup,
    run: ({ granted, filter }) => groupsOf(db, granted.partnerId, filter),
  });

  routes.create(all, {
    namesPerson: false,
    operationId: 'createAclPermissionGroup',
    summary: 'Create a custom permission group',
    description: 'Callers must hold the permissions of the group. A partner can have 1,000 custom groups.',
    access: may('post'),
    body: wire.CreateGroup,
    answer: AclPermissionGroup,
    run: ({ granted, body, key }) => groups.create(granted, body, key),
  });

  registerDefaultRoutes(server, options);

  routes.read(one, {
    operationId: 'getAclPermissionGroup',
    summary: 'Get a permission group',
    description: 'A managed group is the same for every partner. A custom group belongs to one partner.',
    access: mayOne('get'),
    answer: AclPermissionGroup,
    run: ({ granted }) => toGroup(granted.row.group),
  });

  routes.change(one, {
    operationId: 'updateAclPermissionGroup',
    summary: 'Update a custom permission group',
    description: 'Changes the access of every agreement that carries the group.',
    access: mayOne('patch'),
    body: wire.UpdateGroup,
    answer: AclPermissionGroup,
    run: ({ granted, body, ifMatch }) => groups.update(granted, body, ifMatch),
  });

  routes.plain('POST', `${one}/preview`, {
    operationId: 'previewAclPermissionGroup',
    summary: 'Preview a change of a custom permission group',
    description:
      'Says what each agreement that carries the group would gain and lose if an update set these permissions. Changes nothing, and refuses what the update refuses. An empty list shows what deleting the group takes away.',
    access: mayOne('patch'),
    body: wire.PreviewGroup,
    answer: wire.GroupPreview,
    run: ({ granted, body }) => groups.preview(granted, body),
  });

  routes.remove(one, {
    operationId: 'deleteAclPermissionGroup',
    summary: 'Delete a custom permission group',
    description:
      'A group that agreements carry is deleted only with `detach=true`, which removes it from them.',
    access: mayOne('delete'),
    query: wire.DetachQuery,
    run: ({ granted, query, ifMatch }) => groups.delete(granted, query.detach === true, ifMatch),
  });
}

function registerDefaultRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Permission groups');
  const groups = createPermissionGroups(options);
  const may = mayAll(options);

  routes.read(`${all}/default`, {
    operationId: 'getDefaultAclPermissionGroup',
    summary: 'Get the default permission group',
    description: 'The group that new agreements of the partner carry.',
    access: may('get'),
    answer: wire.DefaultGroup,
    run: ({ granted }) => groups.getDefault(granted),
  });

  routes.change(`${all}/default`, {
    operationId: 'setDefaultAclPermissionGroup',
    summary: 'Set the default permission group',
    description: 'New agreements carry this group. It must be a custom group of the partner.',
    access: may('put'),
    method: 'PUT',
    body: wire.DefaultGroup,
    answer: wire.DefaultGroup,
    run: ({ granted, body, ifMatch }) => groups.setDefault(granted, body.acl_permission_group_id, ifMatch),
  });
}

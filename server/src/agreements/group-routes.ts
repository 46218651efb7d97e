// The HTTP of permission groups.
import { Type } from 'typebox';
import { sendRepresentation } from '../http/entity-tag.ts';
import { readIdempotencyKey, sendAnswer } from '../http/idempotency.ts';
import { sendList } from '../http/lists.ts';
import { PathId } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import type { Method } from '../permissions/index.ts';
import { type Access, grantedTo } from './admission.ts';
import * as wire from './group-schema.ts';
import { groupRead } from './group-store.ts';
import type { PermissionGroups } from './permission-groups.ts';
import { AclPermissionGroup } from './schema.ts';
import { membershipRead } from './store.ts';

type Options = { groups: PermissionGroups; access: Access };

export function registerGroupRoutes(server: HttpServer, { groups, access }: Options): void {
  const tags = { tags: ['Permission groups'], security: [{ bearer: [] }] };
  const inPartner = { ...tags, params: Type.Object({ id: PathId('The partner') }) };
  const common = { ...tags, params: wire.GroupPath };
  const may = (method: Method) => access.onPartner({ resource: 'acl_permission_groups', method }, membershipRead);
  const mayOne = (method: Method) => access.onPartner({ resource: 'acl_permission_groups', method }, groupRead);

  server.get(
    '/partners/:id/acl-permission-groups',
    {
      onRequest: may('query'),
      schema: {
        ...inPartner,
        summary: 'List the managed groups, and the custom ones of a partner',
        querystring: wire.GroupListQuery,
        response: { 200: Type.Array(AclPermissionGroup) },
      },
    },
    async (request, reply) => {
      const { 'filter[name]': name, 'filter[type]': type } = request.query;
      return sendList(request, reply, {
        definition: wire.groupList,
        source: groups.list(grantedTo(request), { name, type }),
        item: AclPermissionGroup,
      });
    },
  );

  server.post(
    '/partners/:id/acl-permission-groups',
    {
      onRequest: may('post'),
      schema: { ...inPartner, summary: 'Create a custom group', body: wire.CreateGroup, response: { 201: AclPermissionGroup } },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await groups.create(grantedTo(request), request.body, key));
    },
  );

  server.get(
    '/partners/:id/acl-permission-groups/default',
    {
      onRequest: may('get'),
      schema: { ...inPartner, summary: 'Get the group that new agreements carry', response: { 200: wire.DefaultGroup } },
    },
    async (request, reply) => sendRepresentation(request, reply, await groups.getDefault(grantedTo(request))),
  );

  server.put(
    '/partners/:id/acl-permission-groups/default',
    {
      onRequest: may('put'),
      schema: {
        ...inPartner,
        summary: 'Set the group that new agreements carry',
        body: wire.DefaultGroup,
        response: { 200: wire.DefaultGroup },
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const set = await groups.setDefault(grantedTo(request), body.acl_permission_group_id, headers['if-match']);
      return sendRepresentation(request, reply, set);
    },
  );

  server.get(
    '/partners/:id/acl-permission-groups/:group_id',
    {
      onRequest: mayOne('get'),
      schema: { ...common, summary: 'Get a permission group', response: { 200: AclPermissionGroup } },
    },
    async (request, reply) => sendRepresentation(request, reply, groups.get(grantedTo(request))),
  );

  server.patch(
    '/partners/:id/acl-permission-groups/:group_id',
    {
      onRequest: mayOne('patch'),
      schema: {
        ...common,
        summary: 'Update a custom group',
        consumes: ['application/json', 'application/merge-patch+json'],
        body: wire.UpdateGroup,
        response: { 200: AclPermissionGroup },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, await groups.update(grantedTo(request), request.body, request.headers['if-match'])),
  );

  server.delete(
    '/partners/:id/acl-permission-groups/:group_id',
    {
      onRequest: mayOne('delete'),
      schema: {
        ...common,
        summary: 'Delete a custom group',
        querystring: wire.DetachQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await groups.delete(grantedTo(request), request.query.detach === 'true', request.headers['if-match']);
      return reply.code(204).send(null);
    },
  );
}

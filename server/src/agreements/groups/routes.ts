// The HTTP of permission groups.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../access/index.ts';
import type { Method } from '../../access/permissions/index.ts';
import { sendRepresentation } from '../../base/http/entity-tag.ts';
import { sendList } from '../../base/http/lists.ts';
import { changeHeaders, idempotentHeaders, readHeaders } from '../../base/http/request-headers.ts';
import { PathId } from '../../base/http/schemas.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../../base/idempotency/index.ts';
import { AclPermissionGroup } from '../schema.ts';
import type { PermissionGroups } from './groups.ts';
import * as wire from './schema.ts';
import { groupRead } from './store.ts';

const toJson = serializer(AclPermissionGroup);
const toDefaultJson = serializer(wire.DefaultGroup);

type Options = { groups: PermissionGroups; access: Access };

export function registerGroupRoutes(server: HttpServer, { groups, access }: Options): void {
  const tags = { tags: ['Permission groups'], security: [{ bearer: [] }] };
  const inPartner = { ...tags, params: Type.Object({ id: PathId('The partner') }) };
  const common = { ...tags, params: wire.GroupPath };
  const all = (method: Method) =>
    access.onPartner({ resource: 'acl_permission_groups', method }, partnerOnly);
  const one = (method: Method) => access.onPartner({ resource: 'acl_permission_groups', method }, groupRead);

  const list = all('query');
  server.get(
    '/partners/:id/acl-permission-groups',
    {
      onRequest: list.hook,
      schema: {
        ...inPartner,
        operationId: 'listAclPermissionGroups',
        summary: 'List the permission groups of a partner',
        description: 'Custom groups of the partner, and managed groups.',
        querystring: wire.GroupListQuery,
        response: { 200: Type.Array(AclPermissionGroup) },
      },
    },
    async (request, reply) => {
      const { 'filter[name]': name, 'filter[type]': type } = request.query;
      return sendList(request, reply, {
        definition: wire.groupList,
        source: groups.list(list.granted(request), { name, type }),
        toJson,
      });
    },
  );

  const create = all('post');
  server.post(
    '/partners/:id/acl-permission-groups',
    {
      onRequest: create.hook,
      schema: {
        ...inPartner,
        operationId: 'createAclPermissionGroup',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Create a custom permission group',
        description:
          'Callers must hold the permissions of the group. A partner can have 1,000 custom groups.',
        body: wire.CreateGroup,
        response: { 201: AclPermissionGroup },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await groups.create(create.granted(request), request.body, key));
    },
  );

  const getDefault = all('get');
  server.get(
    '/partners/:id/acl-permission-groups/default',
    {
      onRequest: getDefault.hook,
      schema: {
        ...inPartner,
        operationId: 'getDefaultAclPermissionGroup',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get the default permission group',
        description: 'The group that new agreements of the partner carry.',
        response: { 200: wire.DefaultGroup },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, toDefaultJson(await groups.getDefault(getDefault.granted(request)))),
  );

  const setDefault = all('put');
  server.put(
    '/partners/:id/acl-permission-groups/default',
    {
      onRequest: setDefault.hook,
      schema: {
        ...inPartner,
        operationId: 'setDefaultAclPermissionGroup',
        headers: changeHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Set the default permission group',
        description: 'New agreements carry this group. It must be a custom group of the partner.',
        body: wire.DefaultGroup,
        response: { 200: wire.DefaultGroup },
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const set = await groups.setDefault(
        setDefault.granted(request),
        body.acl_permission_group_id,
        headers['if-match'],
      );
      return sendRepresentation(request, reply, toDefaultJson(set));
    },
  );

  const get = one('get');
  server.get(
    '/partners/:id/acl-permission-groups/:group_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getAclPermissionGroup',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get a permission group',
        description: 'A managed group is the same for every partner. A custom group belongs to one partner.',
        response: { 200: AclPermissionGroup },
      },
    },
    async (request, reply) => sendRepresentation(request, reply, toJson(groups.get(get.granted(request)))),
  );

  const update = one('patch');
  server.patch(
    '/partners/:id/acl-permission-groups/:group_id',
    {
      onRequest: update.hook,
      schema: {
        ...common,
        operationId: 'updateAclPermissionGroup',
        headers: changeHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Update a custom permission group',
        description: 'Changes the access of every agreement that carries the group.',
        consumes: ['application/json', 'application/merge-patch+json'],
        body: wire.UpdateGroup,
        response: { 200: AclPermissionGroup },
      },
    },
    async (request, reply) => {
      const group = await groups.update(update.granted(request), request.body, request.headers['if-match']);
      return sendRepresentation(request, reply, toJson(group));
    },
  );

  server.post(
    '/partners/:id/acl-permission-groups/:group_id/preview',
    {
      onRequest: update.hook,
      schema: {
        ...common,
        operationId: 'previewAclPermissionGroup',
        summary: 'Preview a change of a custom permission group',
        description:
          'Says what each agreement that carries the group would gain and lose if an update set these permissions. Changes nothing, and refuses what the update refuses. An empty list shows what deleting the group takes away.',
        body: wire.PreviewGroup,
        response: { 200: wire.GroupPreview },
      },
    },
    (request) => groups.preview(update.granted(request), request.body),
  );

  const remove = one('delete');
  server.delete(
    '/partners/:id/acl-permission-groups/:group_id',
    {
      onRequest: remove.hook,
      schema: {
        ...common,
        operationId: 'deleteAclPermissionGroup',
        headers: changeHeaders,
        summary: 'Delete a custom permission group',
        description:
          'A group that agreements carry is deleted only with `detach=true`, which removes it from them.',
        querystring: wire.DetachQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await groups.delete(
        remove.granted(request),
        request.query.detach === true,
        request.headers['if-match'],
      );
      return reply.code(204).send(null);
    },
  );
}

// The HTTP of users, for operators.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import { sendList } from '../../base/http/lists.ts';
import { idempotentHeaders } from '../../base/http/request-headers.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../../base/idempotency/index.ts';
import { deletionStays } from '../schema.ts';
import { BanUser, OrphanQuery, SetUserRole, User, UserListQuery, UserPath, userList } from './schema.ts';
import type { Users } from './users.ts';

const toJson = serializer(User);

export function registerUserRoutes(
  server: HttpServer,
  { users, access }: { users: Users; access: Access },
): void {
  const operators = access.onPlatform(null);
  const common = { tags: ['Users'], security: [{ bearer: [] }] };

  server.get(
    '/users',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'listUsers',
        summary: 'List users (operators)',
        description:
          'Everybody with an account, also people who are banned or have not confirmed their address.',
        querystring: UserListQuery,
        response: { 200: Type.Array(User) },
      },
    },
    async (request, reply) => {
      const { 'filter[email]': email, 'filter[name]': name } = request.query;
      return sendList(request, reply, { definition: userList, source: users.list({ email, name }), toJson });
    },
  );
  server.post(
    '/users/:id/ban',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'banUser',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Ban a user (operators)',
        description:
          'Takes effect from the next request on. The user then gets 401, or 403 `banned` under /api/auth.',
        params: UserPath,
        querystring: OrphanQuery,
        body: BanUser,
        response: { 200: User },
      },
    },
    async (request, reply) => {
      const { params, query, body } = request;
      const key = readIdempotencyKey(request);
      const answer = await users.ban(operators.granted(request), params.id, body, query.orphan === true, key);
      return sendAnswer(request, reply, answer);
    },
  );
  server.post(
    '/users/:id/unban',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'unbanUser',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Lift the ban of a user (operators)',
        description: 'The person can sign in again.',
        params: UserPath,
        response: { 200: User },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(
        request,
        reply,
        await users.unban(operators.granted(request), request.params.id, key),
      );
    },
  );
  server.put(
    '/users/:id/role',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'setUserRole',
        'x-response-headers': ['ETag'],
        summary: 'Set the role of a user (operators)',
        description: 'There is always at least one operator.',
        params: UserPath,
        body: SetUserRole,
        response: { 200: User },
      },
    },
    async (request, reply) =>
      sendAnswer(
        request,
        reply,
        await users.setRole(operators.granted(request), request.params.id, request.body.role),
      ),
  );
  server.delete(
    '/users/:id',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'deleteUser',
        summary: 'Delete a user (operators)',
        description: deletionStays,
        params: UserPath,
        querystring: OrphanQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await users.delete(operators.granted(request), request.params.id, request.query.orphan === true);
      return reply.code(204).send(null);
    },
  );
}

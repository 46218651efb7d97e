// The HTTP of users, for operators.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { readIdempotencyKey, sendAnswer } from '../http/idempotency.ts';
import { sendList } from '../http/lists.ts';
import type { HttpServer } from '../http/server.ts';
import { Ban, OrphanQuery, Role, User, UserListQuery, UserPath, userList } from './schema.ts';
import type { Admitted, Users } from './users.ts';

type Options = {
  users: Users;
  access: onRequestAsyncHookHandler;
  admitted: (request: FastifyRequest) => Admitted;
};

export function registerUserRoutes(server: HttpServer, { users, access, admitted }: Options): void {
  const common = { tags: ['Users'], security: [{ bearer: [] }], params: UserPath };

  server.get(
    '/users',
    {
      onRequest: access,
      schema: {
        tags: common.tags,
        security: common.security,
        summary: 'List users (operators)',
        querystring: UserListQuery,
        response: { 200: Type.Array(User) },
      },
    },
    async (request, reply) => {
      const { 'filter[email]': email, 'filter[name]': name } = request.query;
      return sendList(request, reply, {
        definition: userList,
        source: users.list({ email, name }),
        item: User,
      });
    },
  );
  server.post(
    '/users/:id/ban',
    {
      onRequest: access,
      schema: {
        ...common,
        summary: 'Ban a user, from the next request on',
        querystring: OrphanQuery,
        body: Ban,
        response: { 200: User },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(
        request,
        reply,
        await users.ban(admitted(request), request.params.id, request.body, request.query.orphan === 'true', key),
      );
    },
  );
  server.post(
    '/users/:id/unban',
    { onRequest: access, schema: { ...common, summary: 'Lift the ban of a user', response: { 200: User } } },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await users.unban(admitted(request), request.params.id, key));
    },
  );
  server.put(
    '/users/:id/role',
    {
      onRequest: access,
      schema: {
        ...common,
        summary: 'Make a user an operator, or an operator a user',
        body: Role,
        response: { 200: User },
      },
    },
    async (request, reply) =>
      sendAnswer(request, reply, await users.setRole(admitted(request), request.params.id, request.body.role)),
  );
  server.delete(
    '/users/:id',
    {
      onRequest: access,
      schema: {
        ...common,
        summary: 'Delete a user',
        querystring: OrphanQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await users.delete(admitted(request), request.params.id, request.query.orphan === 'true');
      return reply.code(204).send(null);
    },
  );
}

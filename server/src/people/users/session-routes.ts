// The HTTP of the sessions of users, for operators.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { UserPath, UserSession, UserSessionPath } from './schema.ts';
import type { Users } from './users.ts';

export function registerUserSessionRoutes(
  server: HttpServer,
  { users, access }: { users: Users; access: Access },
): void {
  const operators = access.onPlatform(null);
  const common = { tags: ['Users'], security: [{ bearer: [] }] };

  server.get(
    '/users/:id/sessions',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'listUserSessions',
        summary: 'List the sessions of a user (operators)',
        description: 'The newest 1,000, oldest first. No answer shows the token of a session.',
        params: UserPath,
        response: { 200: Type.Array(UserSession) },
      },
    },
    (request) => users.listSessions(operators.granted(request), request.params.id),
  );
  server.delete(
    '/users/:id/sessions/:session_id',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'endUserSession',
        summary: 'End a session of a user (operators)',
        description: 'Takes effect from the next request on.',
        params: UserSessionPath,
        response: { 204: Type.Null({ description: 'Ended' }) },
      },
    },
    async (request, reply) => {
      const { id, session_id: sessionId } = request.params;
      await users.endSession(operators.granted(request), id, sessionId);
      return reply.code(204).send(null);
    },
  );
  server.delete(
    '/users/:id/sessions',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'endUserSessions',
        summary: 'End every session of a user (operators)',
        description: 'Takes effect from the next request on. The access tokens of the user stay.',
        params: UserPath,
        response: { 204: Type.Null({ description: 'Ended' }) },
      },
    },
    async (request, reply) => {
      await users.endSessions(operators.granted(request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}

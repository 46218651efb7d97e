// The HTTP of the sessions of users, for operators.
import { Type } from 'typebox';
import { createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Services } from '../services.ts';
import { UserSession } from './schema.ts';
import { createUsers } from './users.ts';

export function registerUserSessionRoutes(server: HttpServer, services: Services): void {
  const routes = createRoutes(server, 'Users');
  const operators = services.access.onPlatform(null);
  const users = createUsers(services);

  routes.plain('GET', '/users/:id/sessions', {
    operationId: 'listUserSessions',
    summary: 'List the sessions of a user (operators)',
    description: 'The newest 1,000, oldest first. No answer shows the token of a session.',
    access: operators,
    answer: Type.Array(UserSession),
    run: ({ granted, params }) => users.listSessions(granted, params.id),
  });
  routes.plain('DELETE', '/users/:id/sessions/:session_id', {
    operationId: 'endUserSession',
    summary: 'End a session of a user (operators)',
    description: 'Takes effect from the next request on.',
    access: operators,
    answer: Type.Null({ description: 'Ended' }),
    async run({ granted, params }) {
      const { id, session_id: sessionId } = params;
      await users.endSession(granted, id, sessionId);
      return null;
    },
  });
  routes.plain('DELETE', '/users/:id/sessions', {
    operationId: 'endUserSessions',
    summary: 'End every session of a user (operators)',
    description: 'Takes effect from the next request on. The access tokens of the user stay.',
    access: operators,
    answer: Type.Null({ description: 'Ended' }),
    async run({ granted, params }) {
      await users.endSessions(granted, params.id);
      return null;
    },
  });
}

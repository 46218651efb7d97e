// The HTTP of users, for operators.
import { Type } from 'typebox';
import { createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { deletionStays } from '../schema.ts';
import type { Services } from '../services.ts';
import { BanUser, OrphanQuery, SetUserRole, User, UserSession, userList } from './schema.ts';
import { usersOf } from './store.ts';
import { createUsers } from './users.ts';

export function registerUserRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Users');
  const operators = services.access.onPlatform(null);
  const users = createUsers(services);

  routes.list('/users', {
    operationId: 'listUsers',
    summary: 'List users (operators)',
    description: 'Everybody with an account, also people who are banned or have not confirmed their address.',
    access: operators,
    definition: userList,
    item: User,
    run: ({ filter }) => usersOf(services.db, filter),
  });
  routes.act('/users/:id/ban', {
    operationId: 'banUser',
    summary: 'Ban a user (operators)',
    description:
      'Takes effect from the next request on. The user then gets 401, or 403 `banned` under /api/auth.',
    access: operators,
    query: OrphanQuery,
    body: BanUser,
    answer: User,
    namesPerson: true,
    run: ({ granted, params, query, body, key: idempotent, ifMatch }) =>
      users.ban(granted, params.id, body, query.orphan === true, { idempotent, ifMatch }),
  });
  routes.act('/users/:id/unban', {
    operationId: 'unbanUser',
    summary: 'Lift the ban of a user (operators)',
    description: 'The person can sign in again.',
    access: operators,
    answer: User,
    namesPerson: true,
    run: ({ granted, params, key: idempotent, ifMatch }) =>
      users.unban(granted, params.id, { idempotent, ifMatch }),
  });
  routes.change('/users/:id/role', {
    method: 'PUT',
    operationId: 'setUserRole',
    summary: 'Set the role of a user (operators)',
    description: 'There is always at least one operator.',
    access: operators,
    body: SetUserRole,
    answer: User,
    run: async ({ granted, params, body, ifMatch }) => ({
      json: (await users.setRole(granted, params.id, body.role, ifMatch)).json,
    }),
  });
  routes.remove('/users/:id', {
    operationId: 'deleteUser',
    summary: 'Delete a user (operators)',
    description: deletionStays,
    access: operators,
    query: OrphanQuery,
    run: ({ granted, params, query, ifMatch }) =>
      users.delete(granted, params.id, { orphan: query.orphan === true, ifMatch }),
  });
}

export function registerUserSessionRoutes(server: HttpServer, services: Services) {
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
    run: ({ granted, params }) => users.endSession(granted, params.id, params.session_id),
  });
  routes.plain('DELETE', '/users/:id/sessions', {
    operationId: 'endUserSessions',
    summary: 'End every session of a user (operators)',
    description: 'Takes effect from the next request on. The access tokens of the user stay.',
    access: operators,
    answer: Type.Null({ description: 'Ended' }),
    run: ({ granted, params }) => users.endSessions(granted, params.id),
  });
  routes.plain('DELETE', '/users/:id/second-factor', {
    operationId: 'removeUserSecondFactor',
    summary: 'Remove the second factor of a user (operators)',
    description:
      'For a person who has lost it and the backup codes: check who asks. It removes the authenticator app, passkeys, backup codes and trusted devices, ends every session, and tells the user. Requires a recent proof.',
    access: services.access.onPlatform(null, { needsProof: true }),
    answer: Type.Null({ description: 'Removed' }),
    run: ({ granted, params }) => users.removeSecondFactor(granted, params.id),
  });
}

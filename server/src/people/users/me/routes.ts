// The HTTP of the caller.
import { createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Services } from '../../services.ts';
import { readMe, updateMe } from './me.ts';
import * as wire from './schema.ts';

export function registerMeRoutes(server: HttpServer, { db, access }: Services) {
  const routes = createRoutes(server, 'Account');
  const { signedIn, inSession } = access;

  routes.read('/me', {
    operationId: 'getMe',
    summary: 'Get your user and your credential',
    description: 'An access token needs no scope for it.',
    access: signedIn,
    answer: wire.Me,
    run: ({ granted }) => readMe(db, granted.principal),
  });
  routes.change('/me', {
    operationId: 'updateMe',
    summary: 'Change your name',
    description:
      'POST /api/auth/change-email changes your address, and POST /api/auth/change-password your password.',
    access: inSession,
    body: wire.UpdateMe,
    answer: wire.Me,
    run: ({ granted, body, ifMatch }) => updateMe(db, granted, body, ifMatch),
  });
}

// The HTTP of the caller.
import { type Access, createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { MyUser } from './me.ts';
import * as wire from './schema.ts';

type Options = { myUser: MyUser; access: Access };

export function registerMeRoutes(server: HttpServer, { myUser, access }: Options): void {
  const routes = createRoutes(server, 'Account');
  const { signedIn, inSession } = access;

  routes.read('/me', {
    operationId: 'getMe',
    summary: 'Get your user and your credential',
    description: 'An access token needs no scope for it.',
    access: signedIn,
    answer: wire.Me,
    run: ({ granted }) => myUser.get(granted),
  });
  routes.change('/me', {
    operationId: 'updateMe',
    summary: 'Change your name',
    description:
      'POST /api/auth/change-email changes your address, and POST /api/auth/change-password your password.',
    access: inSession,
    body: wire.UpdateMe,
    answer: wire.Me,
    run: ({ granted, body, ifMatch }) => myUser.update(granted, body, ifMatch),
  });
}

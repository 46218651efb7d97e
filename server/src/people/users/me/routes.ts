// The HTTP of the caller.
import type { Access } from '../../../access/index.ts';
import { sendRepresentation } from '../../../base/http/entity-tag.ts';
import { changeHeaders, readHeaders } from '../../../base/http/request-headers.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { type MyUser, toJson } from './me.ts';
import * as wire from './schema.ts';

type Options = { myUser: MyUser; access: Access };

export function registerMeRoutes(server: HttpServer, { myUser, access }: Options): void {
  const common = { tags: ['Account'], security: [{ bearer: [] }], 'x-response-headers': ['ETag'] as const };
  const { signedIn, inSession } = access;

  server.get(
    '/me',
    {
      onRequest: signedIn.hook,
      schema: {
        ...common,
        operationId: 'getMe',
        headers: readHeaders,
        summary: 'Get your user and your credential',
        description: 'An access token needs no scope for it.',
        response: { 200: wire.Me },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, toJson(await myUser.get(signedIn.granted(request)))),
  );
  server.patch(
    '/me',
    {
      onRequest: inSession.hook,
      schema: {
        ...common,
        operationId: 'updateMe',
        headers: changeHeaders,
        summary: 'Change your name',
        description:
          'POST /api/auth/change-email changes your address, and POST /api/auth/change-password your password.',
        consumes: ['application/json', 'application/merge-patch+json'],
        body: wire.UpdateMe,
        response: { 200: wire.Me },
      },
    },
    async (request, reply) => {
      const me = await myUser.update(inSession.granted(request), request.body, request.headers['if-match']);
      return sendRepresentation(request, reply, toJson(me));
    },
  );
}

// The HTTP of grantors.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../access/index.ts';
import { PathId } from '../../base/http/schemas.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Grantors } from './grantors.ts';
import * as wire from './schema.ts';

type Options = { grantors: Grantors; access: Access };

export function registerGrantorRoutes(server: HttpServer, { grantors, access }: Options): void {
  const member = access.asMember(partnerOnly);
  server.get(
    '/partners/:id/grantors',
    {
      onRequest: member.hook,
      schema: {
        tags: ['Agreements'],
        security: [{ bearer: [] }],
        operationId: 'listGrantors',
        summary: 'List who can give a permission',
        description:
          'The people whom a member can ask for a permission: those who could give it to somebody by an agreement. Owners first, 100 at most. Every member may ask; an access token needs a scope that reads or lists agreements.',
        params: Type.Object({ id: PathId('The partner') }),
        querystring: wire.GrantorsQuery,
        response: { 200: Type.Array(wire.Grantor) },
      },
    },
    (request) => grantors.list(member.granted(request), wire.readPermission(request.query.permission)),
  );
}

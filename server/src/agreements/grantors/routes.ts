// The HTTP of grantors.
import { Type } from 'typebox';
import { createRoutes, partnerOnly } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Options } from '../options.ts';
import { listGrantors } from './grantors.ts';
import * as wire from './schema.ts';

export function registerGrantorRoutes(server: HttpServer, { db, access }: Options) {
  createRoutes(server, 'Agreements').plain('GET', '/partners/:id/grantors', {
    operationId: 'listGrantors',
    summary: 'List who can give a permission',
    description:
      'The people whom a member can ask for a permission: those who could give it to somebody by an agreement. Owners first, 100 at most. Every member may ask; an access token needs a scope that reads or lists agreements.',
    access: access.asMember(partnerOnly),
    query: wire.GrantorsQuery,
    answer: Type.Array(wire.Grantor),
    run: ({ granted, query }) => listGrantors(db, granted, wire.readPermission(query.permission)),
  });
}

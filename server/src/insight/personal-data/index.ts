// The export of everything about a person, which the features contribute: GET /me/export.

import { type Access, createRoutes } from '../../access/index.ts';
import { recordAction } from '../../audit/index.ts';
import type { Feature } from '../../base/feature.ts';
import { requireStillAllowed } from '../../base/http/still-allowed.ts';
import { streamOf } from '../../base/http/text-stream.ts';
import type { Database } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import type { Accounts } from '../../people/index.ts';
import { documentSchema, writeDocument } from './document.ts';

type Options = {
  db: Database;
  access: Access;
  accounts: Pick<Accounts, 'readVerifiedEmail' | 'countExport'>;
  features: readonly Feature[];
};

export function createExport({ db, access, accounts, features }: Options): Feature {
  const parts = features.flatMap(({ personalData = [] }) => personalData);
  return {
    routes: (server) =>
      createRoutes(server, 'Account').plain('GET', '/me/export', {
        operationId: 'exportPersonalData',
        summary: 'Export everything about you',
        description:
          'One JSON document: your profile, linked accounts, sessions, access tokens, agreements, invitations, audit records by you and about you, and mails that wait for you. It has no secrets. It requires a recent proof, and works five times an hour.',
        access: access.accountProven,
        headers: ['Content-Disposition'],
        answer: documentSchema(parts),
        async run({ granted: { actor, principal, recheck }, request, reply }) {
          const { userId, credential } = principal;
          await accounts.countExport(userId);
          const exportedAt = await db.transaction(async (tx) => {
            await recheck(tx);
            await recordAction(tx, { actor, partnerId: null, action: 'account.export', target: userId });
            return readClock(tx);
          });
          const person = {
            userId,
            sessionId: credential.id,
            email: await accounts.readVerifiedEmail(userId),
          };
          void reply.header('content-disposition', `attachment; filename="concord-${userId}.json"`);
          const options = {
            parts,
            person,
            exportedAt,
            requireStillAllowed: () => requireStillAllowed(request),
          };
          void reply.type('application/json').header('cache-control', 'no-store');
          return reply.send(streamOf(writeDocument(options)));
        },
      }),
  };
}

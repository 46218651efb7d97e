// The HTTP of the export.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Access } from '../access/index.ts';
import type { Accounts } from '../accounts/index.ts';
import { recordAction } from '../audit/index.ts';
import type { PersonalData } from '../feature.ts';
import type { HttpServer } from '../http/server.ts';
import type { Database } from '../postgres/database.ts';
import { readClock } from '../postgres/sql/clock.ts';
import { documentSchema, writeDocument } from './document.ts';

type Options = {
  db: Database;
  access: Access;
  parts: readonly PersonalData[];
  accounts: Pick<Accounts, 'readVerifiedEmail' | 'countExport'>;
};

export function registerExportRoute(server: HttpServer, { db, access, accounts, parts }: Options): void {
  const proven = access.accountProven;
  server.get(
    '/me/export',
    {
      onRequest: proven.hook,
      schema: {
        operationId: 'exportPersonalData',
        tags: ['Account'],
        security: [{ bearer: [] }],
        summary: 'Export everything about you',
        description:
          'One JSON document: your profile, linked accounts, sessions, access tokens, agreements, invitations, audit records by you and about you, and mails that wait for you. It has no secrets. It requires a recent proof, and works five times an hour.',
        response: { 200: documentSchema(parts) },
      },
    },
    async (request, reply) => {
      const { actor, principal, recheck } = proven.granted(request);
      const { userId } = principal;
      await accounts.countExport(userId);
      const exportedAt = await db.transaction(async (tx) => {
        await recheck(tx);
        await recordAction(tx, { actor, partnerId: null, action: 'account.export', target: userId });
        return readClock(tx);
      });
      const person = { principal, email: await accounts.readVerifiedEmail(userId) };
      void reply.header('content-disposition', `attachment; filename="concord-${userId}.json"`);
      return sendStream(reply, writeDocument(parts, person, exportedAt));
    },
  );
}

/** The schema of the response is that of the whole document. */
const sendStream = (reply: FastifyReply, json: AsyncIterable<string>) =>
  reply.type('application/json').header('cache-control', 'no-store').send(Readable.from(json));

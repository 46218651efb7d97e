// The HTTP of invitations. Requests carry the token from the mail in a header, so that no log of URLs has it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import { idempotentHeaders } from '../../base/http/request-headers.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../../base/idempotency/index.ts';
import { invitationTokens } from '../../people/index.ts';
import { Agreement } from '../schema.ts';
import type { InvitationAnswers } from './answers.ts';
import * as wire from './schema.ts';

type Options = { answers: InvitationAnswers; access: Access };

export function registerInvitationRoutes(server: HttpServer, { answers, access }: Options): void {
  const common = { tags: ['Invitations'], params: wire.InvitationPath, headers: invitationTokens.headers };
  const { inSession } = access;
  const shownBy = (request: FastifyRequest<{ Params: { agreement_id: string } }>) => ({
    id: request.params.agreement_id,
    token: invitationTokens.readToken(request),
  });
  /** The token counts as the content of the request: another token with the same key is another request. */
  const answeredBy = (request: FastifyRequest<{ Params: { agreement_id: string } }>) => {
    const shown = shownBy(request);
    return { ...shown, key: readIdempotencyKey(request, shown.token) };
  };
  const answering = {
    ...common,
    headers: Type.Object({ ...common.headers.properties, ...idempotentHeaders.properties }),
  };
  const forbidStoring = async (_request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('cache-control', 'no-store');
  };

  server.get(
    '/invitations/:agreement_id',
    {
      onRequest: access.anyone,
      preHandler: forbidStoring,
      schema: {
        ...common,
        operationId: 'getInvitation',
        'x-errors': [400],
        summary: 'See what an invitation offers',
        description: 'Requires the token from the mail, and no account. Changes nothing.',
        response: { 200: wire.Invitation },
      },
    },
    (request) => answers.show(shownBy(request)),
  );

  server.post(
    '/invitations/:agreement_id/accept',
    {
      onRequest: inSession.hook,
      preHandler: forbidStoring,
      schema: {
        ...answering,
        security: [{ bearer: [] }],
        operationId: 'acceptInvitation',
        'x-errors': [400],
        'x-response-headers': ['ETag'],
        summary: 'Accept an invitation',
        description:
          'Requires the token from the mail, and a session of the user with the invited address. Uses the token up.',
        response: { 200: Agreement },
      },
    },
    async (request, reply) =>
      sendAnswer(request, reply, await answers.accept(inSession.granted(request), answeredBy(request))),
  );

  server.post(
    '/invitations/:agreement_id/decline',
    {
      onRequest: inSession.hook,
      preHandler: forbidStoring,
      schema: {
        ...answering,
        security: [{ bearer: [] }],
        operationId: 'declineInvitation',
        'x-errors': [400],
        summary: 'Decline an invitation',
        description: 'Requires the same as accepting it, except a second factor. Deletes the agreement.',
        response: { 204: Type.Null({ description: 'Declined' }) },
      },
    },
    async (request, reply) => {
      const { headers } = await answers.decline(inSession.granted(request), answeredBy(request));
      return reply.code(204).headers(headers).send(null);
    },
  );
}

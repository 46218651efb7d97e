// The HTTP of invitations. Requests carry the token from the mail in a header, so that no log of URLs has it.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { invitationTokens } from '../../people/index.ts';
import type { Options } from '../options.ts';
import { Agreement } from '../schema.ts';
import { createInvitationAnswers } from './answers.ts';
import * as wire from './schema.ts';

type Shown = { params: { agreement_id: string }; request: FastifyRequest };

export function registerInvitationRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Invitations');
  const { access } = options;
  const answers = createInvitationAnswers(options);
  const common = { params: wire.InvitationPath, noStore: true, errors: [400] };
  const answering = {
    ...common,
    access: access.inSession,
    requestHeaders: invitationTokens.headers,
    // Another token with the same key is another request.
    content: invitationTokens.readToken,
  };
  const shownBy = ({ params, request }: Shown) => ({
    id: params.agreement_id,
    token: invitationTokens.readToken(request),
  });

  routes.plain('GET', '/invitations/:agreement_id', {
    ...common,
    operationId: 'getInvitation',
    summary: 'See what an invitation offers',
    description: 'Requires the token from the mail, and no account. Changes nothing.',
    access: access.anyone,
    schema: { headers: invitationTokens.headers },
    answer: wire.Invitation,
    run: (context) => answers.show(shownBy(context)),
  });

  routes.create('/invitations/:agreement_id/accept', {
    namesPerson: true,
    ...answering,
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Requires the token from the mail, and a session of the user with the invited address. Uses the token up.',
    status: 200,
    answer: Agreement,
    run: ({ granted, key, ...context }) => answers.accept(granted, { ...shownBy(context), key }),
  });

  routes.create('/invitations/:agreement_id/decline', {
    namesPerson: false,
    ...answering,
    operationId: 'declineInvitation',
    summary: 'Decline an invitation',
    description: 'Requires the same as accepting it, except a second factor. Deletes the agreement.',
    status: 204,
    tagged: false,
    answer: Type.Null({ description: 'Declined' }),
    run: ({ granted, key, ...context }) => answers.decline(granted, { ...shownBy(context), key }),
  });
}

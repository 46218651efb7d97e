// The actor of a change that a link from a mail makes, without a session.
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../audit/index.ts';

/** What the mail was about. `set_up`: the link that the start prints. */
type LinkPurpose = 'change_email' | 'reset_password' | 'delete_user' | 'sign_up' | 'invitation' | 'set_up';

export const byLink = ({ id, ip }: FastifyRequest, userId: string, purpose: LinkPurpose): Actor => ({
  kind: 'person',
  userId,
  credential: { kind: 'mail_link', id: purpose },
  requestId: id,
  address: ip,
});

// The actor of a change that a person makes without a session: by a link from a mail, or by a provider.
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../audit/index.ts';

/** What the mail was about. `set_up`: the link that the start prints. */
type LinkPurpose = 'change_email' | 'reset_password' | 'delete_user' | 'sign_up' | 'invitation' | 'set_up';

export const byLink = (request: FastifyRequest, userId: string, purpose: LinkPurpose): Actor =>
  by(request, userId, { kind: 'mail_link', id: purpose });

/** `provider`: as in `auth.account`. */
export const byProvider = (request: Asking, userId: string, provider: string): Actor =>
  by(request, userId, { kind: 'provider', id: provider });

/** `ip` null: not known. */
type Asking = { readonly id: string; readonly ip: string | null };

const by = ({ id, ip }: Asking, userId: string, credential: Actor['credential']): Actor => ({
  kind: 'person',
  userId,
  credential,
  requestId: id,
  address: ip,
});

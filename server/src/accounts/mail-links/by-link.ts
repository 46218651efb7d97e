// The actor of a change that a link from a mail makes, without a session.
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../audit/index.ts';
import type { Purpose } from './store.ts';

export const byLink = ({ id, ip }: FastifyRequest, userId: string, purpose: Purpose): Actor => ({
  kind: 'person',
  userId,
  credential: { kind: 'mail_link', id: purpose },
  requestId: id,
  address: ip,
});

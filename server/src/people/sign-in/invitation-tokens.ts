// Tokens in mails of invitations. Whoever has one has read a mail to the invited address, so the token proves
// the address.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type ErrorCode, invalidHeader, ServiceError } from '../../base/errors.ts';
import { isRepeated } from '../../base/http/request-headers.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { type InvitationTokenRow, selectInvitationToken } from './store.ts';

export { newToken } from '../secret-tokens.ts';
export { endInvitationToken as endToken, insertInvitationToken as insertToken } from './store.ts';

const header = 'invitation-token';
const description = 'The token from the mail: what follows `#` in its link';
export const headers = Type.Object({ [header]: Type.String({ description }) });
export const optionalHeaders = Type.Object({ [header]: Type.Optional(Type.String({ description })) });

const required = () =>
  invalidHeader('Invitation-Token', 'must be sent once. Its value follows the # in the link of the mail');

/** Undefined: the request has no such header. */
export function readTokenIfAny(request: FastifyRequest): string | undefined {
  const token = request.headers[header];
  if (token === undefined) return undefined;
  if (typeof token !== 'string' || isRepeated(request.raw, header)) throw required();
  return token;
}

export function readToken(request: FastifyRequest) {
  const token = readTokenIfAny(request);
  if (token === undefined) throw required();
  return token;
}

const refusals = {
  expired: 'invitation_expired',
  accepted: 'invitation_used',
  declined: 'invitation_used',
  replaced: 'invitation_replaced',
  withdrawn: 'invitation_withdrawn',
} as const satisfies Record<Exclude<InvitationTokenRow['state'], 'valid'>, ErrorCode>;

/** @throws ServiceError invalid_token, or the code that says why the token does not work any more */
export async function requireInvited(on: Queryable, token: string) {
  const row = /^[\w-]{32}$/.test(token) ? await selectInvitationToken(on, token) : undefined;
  if (row === undefined) throw new ServiceError('invalid_token');
  const { state, email, ...invited } = row;
  if (state !== 'valid') throw new ServiceError(refusals[state]);
  if (email === null) throw new Error('An invitation token that works has no address');
  return { ...invited, email };
}

// The session of a browser changes its token when its user proves who they are, and with every change of the
// password or second factor.
// So a cookie that was stolen before gains nothing. Bearer clients keep their token, because no answer of the
// API tells them another.
import type { FastifyRequest } from 'fastify';
import { sessions } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { cookieOf, hasCookieSession, setCookie } from '../../base/browser-session/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Transaction } from '../../base/postgres/database.ts';

/** The client of a request, for its new session. */
export const clientOf = ({ ip, headers }: FastifyRequest) => ({
  ipAddress: ip,
  userAgent: headers['user-agent'],
});

const tokenOf = (request: FastifyRequest) =>
  hasCookieSession(request) ? cookieOf(request, 'session') : undefined;

/**
 * To be called before a new proof is marked in the transaction. @returns the new token; undefined when the
 * token stays
 */
export async function renewSession(tx: Transaction, request: FastifyRequest, { credential }: Principal) {
  const old = tokenOf(request);
  if (old === undefined) return undefined;
  const token = await sessions.replaceToken(tx, credential.id, old);
  // A request at the same time has replaced the token, and sets the cookie.
  if (token === null) return undefined;
  tx.afterCommit(() => setCookie(request, 'session', token));
  return token;
}

/** Also of a browser, whose cookie was made the bearer token. */
export const tokenOfRequest = ({ headers }: FastifyRequest) =>
  String(headers.authorization).replace(/^bearer +/i, '');

/** Replaces the token, also of a bearer client, whose answer has the new one. */
export async function replaceSession(tx: Transaction, request: FastifyRequest, { credential }: Principal) {
  const token = await sessions.replaceToken(tx, credential.id, tokenOfRequest(request));
  // A request at the same time has replaced the token.
  if (token === null) throw new ServiceError('unauthenticated');
  return token;
}

/** Enables the second factor, which ends every session. @returns the token of the one that replaces this one */
export async function enableInSession(
  tx: Transaction,
  request: FastifyRequest,
  { userId, credential }: Principal,
  enable: () => Promise<unknown>,
) {
  const origin = await sessions.selectOrigin(tx, credential.id);
  await enable();
  const token = await sessions.insertSession(tx, { userId, provesSecondFactor: true, ...clientOf(request) });
  const old = tokenOf(request);
  if (old !== undefined) await sessions.keepReplaced(tx, old, token);
  await sessions.keepOrigin(tx, token, origin);
  return token;
}

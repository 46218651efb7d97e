// Logout at the identity provider (OpenID Connect Back-Channel Logout 1.0). It ends what the connection has proved.
import type { FastifyRequest } from 'fastify';
import { type JWTPayload, jwtVerify } from 'jose';
import { lockPartner, sessions } from '../../../access/index.ts';
import { recordAction } from '../../../audit/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { ownerOfPartner } from '../../../base/http/callers.ts';
import { formatId } from '../../../base/ids.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import type { Options } from '../../options.ts';
import { type Connection, lockConnection } from '../connections/store.ts';
import { type IdentityProviders, textOf, toleranceSeconds, unavailableIn } from './provider.ts';
import * as store from './store.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** In seconds: how old a token may be. */
const maxAge = 300;

export function createLogout({ db }: Options, providers: IdentityProviders) {
  async function verify(connection: Connection, token: string) {
    const { keys, algorithms } = await providers.find(connection);
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: connection.issuer,
        audience: connection.client_id,
        algorithms,
        maxTokenAge: maxAge,
        clockTolerance: toleranceSeconds,
        requiredClaims: ['iat', 'jti', 'events'],
      });
      return readToken(payload);
    } catch (cause) {
      throw (
        unavailableIn(cause) ??
        new ServiceError('invalid_request', { detail: 'The logout token is not valid.', cause })
      );
    }
  }

  /**
   * A token that was used before changes nothing.
   * @throws ServiceError invalid_request, not_found, provider_unavailable
   */
  return async ({ id: requestId, ip: address }: FastifyRequest, connectionId: string, token: string) => {
    const connection = await store.findConnection(db, connectionId);
    if (!connection) throw new ServiceError('not_found');
    const { connection_id: id, partner_id: partnerId } = connection;
    const loggedOut = await verify(connection, token);
    const change = (work: (tx: Transaction) => Promise<void>) =>
      db.alsoFor(ownerOfPartner(partnerId), () => db.transaction(work));
    await change(async (tx) => {
      // A simultaneous sign-in commits before this, or finds the logout.
      await lockPartner(tx, partnerId);
      if (!(await lockConnection(tx, id))) throw new ServiceError('not_found');
      if (!(await store.useLogoutToken(tx, id, loggedOut)))
        throw new ServiceError('invalid_request', { detail: 'The logout token was used before.' });
      for (const { sessionId, userId, signedIn } of await store.endProofs(tx, id, loggedOut)) {
        if (signedIn) await sessions.deleteSession(tx, userId, sessionId);
        const ended = formatId('identity_connection', id);
        await recordAction(tx, {
          actor: {
            kind: 'nobody',
            userId: 'unknown',
            credential: { kind: 'provider', id: `connection:${id}` },
            requestId,
            address,
          },
          partnerId,
          action: 'account.log_out_by_provider',
          target: userId,
          details: { connection: ended, session_ended: signedIn },
          changes: { proof: { before: ended, after: null } },
        });
      }
    });
    return { status: true } as const;
  };
}

/** Sections 2.4 and 2.6. @throws Error */
function readToken({ jti, sub, sid, nonce, events }: JWTPayload) {
  if (nonce !== undefined) throw new Error('A logout token has no nonce');
  if (typeof events !== 'object' || events === null || !(event in events))
    throw new Error('The token is about another event');
  const [subject, providerSession] = [textOf(sub), textOf(sid)];
  if (typeof jti !== 'string' || (subject === null && providerSession === null))
    throw new Error('The token names neither a person nor a session');
  return { jti, subject, providerSession };
}

// Sign-ins in the audit log. A session is recorded before its token leaves the process, so nobody holds one
// that the log does not show.
import type { FastifyRequest } from 'fastify';
import { sessions } from '../../access/index.ts';
import { recordAction } from '../../audit/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { recordOwn } from '../audited.ts';
import { hashIdentifier } from '../better-auth/hashed-tokens.ts';
import { isOfConnection } from '../better-auth/second-factor-makings.ts';
import { type Guards, isWithinLimit } from '../guards.ts';
import * as store from './store.ts';

type Means =
  | { by: 'password' | 'trusted_device' | 'totp' | 'backup-code' | 'passkey' }
  | { by: 'provider'; provider: string }
  /** `connection`: a typed id. */
  | { by: 'connection'; connection: string };

type Options = {
  db: Database;
  guards: Pick<Guards, 'failedSignIn'>;
  onChallengeMet: OnChallengeMet;
};

/** Runs in the transaction that records the session of a sign-in by a connection whose second factor was proven. */
export type OnChallengeMet = (tx: Transaction, challengeHash: string, sessionId: string) => Promise<void>;
const action = 'account.sign_in';

const isCode = ({ by }: Means) => by === 'totp' || by === 'backup-code';

export function createNewSessions({ db, guards, onChallengeMet }: Options) {
  /** `challenge`: the identifier of the sign-in that the session completes. */
  async function complete(
    tx: Transaction,
    request: FastifyRequest,
    token: string,
    means: Means,
    challenge: string | undefined,
  ) {
    const found = await record(tx, request, token, means);
    if (!found) return null;
    const { sessionId, ...signedIn } = found;
    if (challenge !== undefined && isOfConnection(challenge))
      await onChallengeMet(tx, hashIdentifier(challenge), sessionId);
    return signedIn;
  }

  return {
    record,
    complete,

    /**
     * Records a session of better-auth.
     * @throws ServiceError when it may not go on, and deletes it: its user has enabled or lost a second factor
     * meanwhile, or the connection that began it refuses
     */
    async handOut(request: FastifyRequest, token: string, means: Means, challenge?: string) {
      let refusal: unknown;
      const recorded = db.transaction((tx) => complete(tx, request, token, means, challenge));
      const user = await recorded.catch((error: unknown) => {
        refusal = error;
      });
      if (user) return user;
      await sessions.deleteSessionByToken(db, token);
      if (refusal !== undefined) throw refusal;
      if (isCode(means)) throw new ServiceError('invalid_token');
      throw new ServiceError(means.by === 'provider' ? 'provider_refused' : 'invalid_credentials');
    },

    /**
     * Records a refused sign-in to a known account, after the answer: its time must not reveal that the account
     * exists. Errors that refuse nothing, such as 429 and 500, write no row.
     */
    failed(
      request: FastifyRequest,
      error: unknown,
      means: Means,
      findUserId: () => Promise<string | undefined>,
    ) {
      if (!(error instanceof ServiceError && (error.status === 401 || error.status === 403))) return;
      setImmediate(async () => {
        try {
          const userId = await findUserId();
          // Strangers cause these rows, so each account has few of them.
          if (userId !== undefined && (await isWithinLimit(guards.failedSignIn.count(userId))))
            await recordFailure(db, request, means, userId);
        } catch (err) {
          request.log.error({ err }, 'recording a failed sign-in failed');
        }
      });
    },
  };
}

async function recordFailure(
  db: Database,
  { id: requestId, ip: address }: FastifyRequest,
  means: Means,
  userId: string,
) {
  const credential = { kind: 'none', id: '' } as const;
  await recordAction(db, {
    actor: { kind: 'nobody', userId: 'unknown', credential, requestId, address },
    partnerId: null,
    action,
    target: userId,
    outcome: 'failed',
    details: means,
  });
}

/** In the transaction that made the session. Null: no session has the token, or it lacks a proof. */
async function record(
  tx: Transaction,
  { id: requestId, ip: address }: FastifyRequest,
  token: string,
  means: Means,
) {
  const session = await store.selectNewSession(tx, token);
  if (!session) return null;
  const { proven, secondFactor, role, ...found } = session;
  // better-auth read the user before it inserted the session.
  if (secondFactor && !proven && means.by !== 'trusted_device') return null;
  // It ended after better-auth took the challenge.
  if (!secondFactor && isCode(means)) return null;
  const { id: userId, sessionId } = found;
  const actor = {
    kind: role === 'operator' ? 'operator' : 'person',
    userId,
    credential: { kind: 'session', id: sessionId },
    requestId,
    address,
  } as const;
  const changes = { session: { before: null, after: sessionId } };
  await recordOwn(tx, { actor, action, details: means, changes });
  return found;
}

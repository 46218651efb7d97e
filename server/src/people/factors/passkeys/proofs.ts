// Passkeys as proofs: alone as a sign-in, as the second factor of a sign-in, and in a session.
import type { FastifyRequest } from 'fastify';
import { sessions } from '../../../access/index.ts';
import type { Principal } from '../../../access/permissions/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { addressGroup } from '../../../base/http/address-group.ts';
import type { Database, Transaction } from '../../../base/postgres/database.ts';
import type { SignedIn } from '../../schema.ts';
import type { Services } from '../../services.ts';
import { clientOf } from '../../sessions/renew-session.ts';
import * as users from '../../users/store.ts';
import { createAttempts } from '../attempts.ts';
import { challengeOf, hasApp, takeChallenge } from '../store.ts';
import { createCeremony, loggingRefusal, timeoutMs } from './ceremony.ts';
import { toDescriptor } from './passkeys.ts';
import type { PasskeyProof, PasskeyRequest, VerifyPasskey } from './schema.ts';
import * as store from './store.ts';

/** Nobody has signed in yet. */
const signingIn = 'sign-in';
const by = 'passkey';
/** The log has the reason. */
const refused = (reason: string) => new ServiceError('invalid_passkey', { cause: new Error(reason) });

/** Where a challenge of the second factor counts: in one session, or for one sign-in that waits. */
const purposeOf = (principal: Principal | null, twoFactorToken: string | undefined) =>
  principal ? `session ${principal.credential.id}` : `challenge ${challengeOf(twoFactorToken)}`;

export function createPasskeyProofs(services: Services) {
  const { db, guards } = services;
  const signInWith = createSignIn(services);
  const ceremony = createCeremony(services);
  const attempts = createAttempts(services);

  async function ask(purpose: string, userId?: string): Promise<PasskeyRequest> {
    const { challenge, sealedChallenge } = await ceremony.begin(db, purpose);
    const descriptors = userId === undefined ? [] : await store.selectDescriptors(db, userId);
    return {
      sealedChallenge,
      publicKey: {
        rpId: ceremony.rpId,
        challenge,
        timeout: timeoutMs,
        userVerification: userId === undefined ? 'required' : 'preferred',
        allowCredentials: descriptors.map(toDescriptor),
      },
    };
  }

  return {
    beginSignIn: () => ask(signingIn),

    async signIn(request: FastifyRequest, proof: PasskeyProof): Promise<SignedIn> {
      const guardKey = `passkey ${proof.credential.id} ${addressGroup(request.ip)}`;
      await guards.signIn.count(guardKey);
      const passkey = await store.selectStored(db, proof.credential.id);
      const checked = ceremony.authenticate(proof, signingIn, passkey, { alone: true });
      const signedIn = await signInWith(request, checked, { userId: passkey?.userId });
      await guards.signIn.clear(guardKey);
      return signedIn;
    },

    /** How the second factor can be proven: by the user of the session, or of the sign-in that waits. */
    async options(request: FastifyRequest, twoFactorToken: string | undefined, principal: Principal | null) {
      const userId = await attempts.findUserId(request, twoFactorToken, principal);
      const asked = await ask(purposeOf(principal, twoFactorToken), userId);
      const hasPasskeys = asked.publicKey.allowCredentials.length > 0;
      return { app: await hasApp(db, userId), ...(hasPasskeys && { passkey: asked }) };
    },

    async completeSignIn(
      request: FastifyRequest,
      { twoFactorToken, ...proof }: VerifyPasskey,
    ): Promise<SignedIn> {
      const userId = await attempts.findUserId(request, twoFactorToken, null);
      const clearAttempts = await attempts.count(request, userId, 'sign-in');
      const passkey = await ofUser(db, userId, proof);
      const checked = ceremony.authenticate(proof, purposeOf(null, twoFactorToken), passkey);
      const identifier = challengeOf(twoFactorToken);
      const signedIn = await signInWith(request, checked, { userId, identifier });
      await clearAttempts();
      return signedIn;
    },

    /**
     * Checks a proof of the user of a session. `use` it in the transaction that marks the session, and clear the
     * attempts after the commit: until then it can be one that was used before.
     */
    async check(request: FastifyRequest, principal: Principal, proof: PasskeyProof) {
      const { userId } = principal;
      const clearAttempts = await attempts.count(request, userId, 'step-up');
      const passkey = await ofUser(db, userId, proof);
      const assertion = await ceremony
        .authenticate(proof, purposeOf(principal, undefined), passkey)
        .catch(loggingRefusal(request));
      const { userVerified } = assertion;
      return { userVerified, use: (tx: Transaction) => use(tx, assertion), clearAttempts };
    },
  };
}

/** Another user's passkey proves nothing here. */
async function ofUser(db: Database, userId: string, { credential }: PasskeyProof) {
  const passkey = await store.selectStored(db, credential.id);
  return passkey?.userId === userId ? passkey : undefined;
}

/** Uses the passkey and its challenge up, in the transaction that acts on the proof. */
async function use(tx: Transaction, proof: store.Assertion) {
  if (!(await store.useChallenge(tx, proof.passkey.userId, proof.challenge)))
    throw new ServiceError('invalid_token');
  if (!(await store.usePasskey(tx, proof)))
    throw refused('The passkey was removed, or another request has used a later counter');
}

function createSignIn({ db, newSessions }: Services) {
  const createSession = (request: FastifyRequest, proof: store.Assertion, identifier: string | undefined) =>
    db.transaction(async (tx) => {
      const { userId } = proof.passkey;
      // A ban, a deletion, and a change of the password or second factor come before, or end this session.
      const locked = await users.lockOwnUser(tx, userId);
      if (identifier !== undefined && !(await takeChallenge(tx, identifier, userId)))
        throw new ServiceError('invalid_token');
      if (locked.length === 0) throw refused('The user was deleted');
      await use(tx, proof);
      if (await users.isBanned(tx, userId)) throw new ServiceError('banned');
      const token = await sessions.insertSession(tx, {
        userId,
        provesSecondFactor: true,
        ...clientOf(request),
      });
      const user = await newSessions.complete(tx, request, token, { by }, identifier);
      if (!user) throw refused('The session is gone');
      return { token, user };
    });

  /** `identifier`: of the sign-in that waits for a second factor. `userId`: for the log of a refusal. */
  return (
    request: FastifyRequest,
    checked: Promise<store.Assertion>,
    { userId, identifier }: { userId: string | undefined; identifier?: string | undefined },
  ): Promise<SignedIn> =>
    checked
      .then((proof) => createSession(request, proof, identifier))
      .catch(loggingRefusal(request))
      .catch((error: unknown) => {
        newSessions.failed(request, error, { by }, async () => userId);
        throw error;
      });
}

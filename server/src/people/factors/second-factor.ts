// The operations on the second factor. Each code works once, failed codes are counted, and a session carries
// the proof.
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { type Caller, sessions } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { CommitThenRefuse, type Queryable } from '../../base/postgres/database.ts';
import { type BridgeAnswer, CodesChanged, required, toSignedIn } from '../better-auth/bridge.ts';
import { newApp, toTotpUri } from '../better-auth/second-factor-makings.ts';
import type { SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import { keepReplaced, renewSession, replaceSession } from '../sessions/renew-session.ts';
import { changeOwn } from '../users/own-change.ts';
import * as users from '../users/store.ts';
import { createAttempts } from './attempts.ts';
import * as passkeys from './passkeys/store.ts';
import * as store from './store.ts';

export type CodeKind = 'totp' | 'backup-code';
export type Proof = {
  code: string;
  trustDevice?: boolean | undefined;
  /** From the sign-in to complete. Absent in a session, which steps up. */
  twoFactorToken?: string | undefined;
};

export function createSecondFactor(services: Services) {
  const { db, auth, bridge, guards, passwordCheck, notices } = services;
  const check = createCheck(services);

  return {
    /** Completes a sign-in, or steps a session up. The first TOTP code enables the second factor. */
    async verify(
      request: FastifyRequest,
      kind: CodeKind,
      proof: Proof,
      caller: Caller | null,
    ): Promise<SignedIn> {
      const principal = caller?.principal ?? null;
      // A backup code enables nothing.
      if (principal?.secondFactor === 'not_enabled' && kind === 'backup-code')
        throw new ServiceError('two_factor_not_enabled');
      const addsApp = principal !== null && kind === 'totp' && !(await store.hasApp(db, principal.userId));
      const begins = principal?.secondFactor === 'not_enabled';
      const enrolment = begins || addsApp ? await selectEnrolment(db, principal.userId) : null;
      const origin = begins ? await sessions.selectOrigin(db, principal.credential.id) : undefined;
      const { userId, ...answer } = await check(request, kind, proof, principal);
      const { sessionToken } = answer;
      if (!caller) return toSignedIn(answer);
      if (sessionToken === undefined) {
        const renewed = await changeOwn(db, caller, async (tx) => {
          // An app beside passkeys. better-auth checked a secret that was replaced meanwhile.
          if (addsApp && !isDeepStrictEqual(await selectEnrolment(tx, userId), enrolment)) {
            await store.refuseApp(tx, userId);
            throw new CommitThenRefuse(new ServiceError('invalid_code'));
          }
          const token = await renewSession(tx, request, caller.principal);
          await sessions.markSecondFactorProven(tx, caller.principal.credential.id);
          if (addsApp) await notices.tell(tx, request, { userId, kind: 'second_factor_enabled' });
          return token;
        });
        return toSignedIn({ ...answer, sessionToken: renewed });
      }
      // The first code enables the second factor and replaces the session. The new one already carries the
      // proof (better-auth.ts).
      await db.transaction(async (tx) => {
        await users.lockOwnUser(tx, userId);
        // better-auth checked a secret and a session that were changed or ended meanwhile.
        if (!isDeepStrictEqual(await selectEnrolment(tx, userId), enrolment)) {
          await store.refuseApp(tx, userId);
          await passkeys.disableIfLast(tx, userId);
          await sessions.deleteSessionByToken(tx, sessionToken);
          throw new CommitThenRefuse(new ServiceError('unauthenticated'));
        }
        // Another code was first, and has ended the session.
        if (!(await store.claimEnrolment(tx, userId, enrolment?.[0]))) {
          await sessions.deleteSessionByToken(tx, sessionToken);
          throw new CommitThenRefuse(new ServiceError('unauthenticated'));
        }
        await keepReplaced(tx, request, sessionToken);
        await sessions.keepOrigin(tx, sessionToken, origin);
      });
      await notices.tellLate(request, { userId, kind: 'second_factor_enabled' });
      return toSignedIn(answer);
    },

    /** Ours, because better-auth would replace an app that a code enables meanwhile. */
    enable: (request: FastifyRequest, caller: Caller, password: string) =>
      guards.withPassword(caller.principal.userId, async () => {
        const { userId } = caller.principal;
        const hash = await passwordCheck.requirePassword(userId, password);
        return changeOwn(db, caller, async (tx, { principal }) => {
          if ((await users.selectPasswordHash(tx, userId)) !== hash)
            throw new ServiceError('invalid_password');
          if (await store.hasApp(tx, userId)) throw new ServiceError('two_factor_enabled');
          const { secret, backupCodes, sealed } = await newApp(auth);
          await store.replaceApp(tx, userId, sealed);
          // Beside passkeys, its codes are proofs at once.
          if (principal.secondFactor !== 'not_enabled')
            await notices.tell(tx, request, { userId, kind: 'backup_codes_made' });
          return { totpURI: toTotpUri(secret, await users.selectEmail(tx, userId)), backupCodes };
        });
      }),

    showSecret: (request: FastifyRequest, { userId }: Principal, password: string) =>
      guards.withPassword(userId, async () => {
        const { body } = await bridge.call(request, { operation: 'getTOTPURI', body: { password } });
        return { totpURI: String(body.totpURI) };
      }),

    disable: (request: FastifyRequest, caller: Caller, password: string) =>
      guards.withPassword(caller.principal.userId, async () => {
        const { principal } = caller;
        const { userId } = principal;
        const hash = await passwordCheck.requirePassword(userId, password);
        return changeOwn(db, caller, async (tx) => {
          if ((await users.selectPasswordHash(tx, userId)) !== hash)
            throw new ServiceError('invalid_password');
          if (!(await passkeys.hasSecondFactor(tx, userId))) throw new ServiceError('two_factor_not_enabled');
          await users.disableSecondFactor(tx, userId);
          const token = await replaceSession(tx, request, principal);
          await notices.tell(tx, request, { userId, kind: 'second_factor_disabled' });
          return { token };
        });
      }),

    /** S1: the codes of the last request work, also after parallel requests. */
    generateBackupCodes: (request: FastifyRequest, principal: Principal, password: string) =>
      guards.withPassword(principal.userId, async () => {
        const generate = async (sessionToken?: string) => {
          const { body } = await bridge.call(request, {
            operation: 'generateBackupCodes',
            body: { password },
            ...(sessionToken !== undefined && { sessionToken }),
          });
          await notices.tellLate(request, { userId: principal.userId, kind: 'backup_codes_made' });
          return { status: body.status === true, backupCodes: body.backupCodes as string[] };
        };
        if (principal.credential.kind !== 'session')
          return sessions.withTemporarySession(db, principal.userId, generate);
        const codes = await generate();
        await db.transaction((tx) => renewSession(tx, request, principal));
        return codes;
      }),
  };
}

/** What the first code is about: the secret, as it is sealed, and the password of whoever began. */
const selectEnrolment = async (on: Queryable, userId: string) => [
  await store.selectSealedSecret(on, userId),
  await users.selectPasswordHash(on, userId),
];

/** Checks a code, and counts the attempt. A sign-in is then complete; a session is not marked yet. */
export function createCheck(services: Services) {
  const { db, bridge, newSessions } = services;
  const attempts = createAttempts(services);
  return async (
    request: FastifyRequest,
    kind: CodeKind,
    proof: Proof,
    principal: Principal | null,
  ): Promise<BridgeAnswer & { userId: string }> => {
    const { code, trustDevice = false, twoFactorToken } = proof;
    const userId = await attempts.findUserId(request, twoFactorToken, principal);
    const clearAttempts = await attempts.count(request, userId, principal ? 'step-up' : 'sign-in');
    const passwordBefore = await users.selectPasswordHash(db, userId);
    // The code is claimed before better-auth checks it, so that only one of two parallel requests succeeds
    // with it.
    const claimed = kind === 'totp' ? store.codeOf(userId, code) : undefined;
    if (claimed && !(await store.claimProof(db, userId, claimed))) throw new ServiceError('invalid_code');
    const verify = (): Promise<BridgeAnswer> =>
      bridge
        .call(request, {
          operation: kind === 'totp' ? 'verifyTOTP' : 'verifyBackupCode',
          body: { code, trustDevice },
          tokens: principal ? {} : { twoFactorToken },
        })
        .catch(async (error: unknown) => {
          if (!(error instanceof CodesChanged)) throw error;
          if (!principal) await store.recountAttempts(db, required(store.challengeOf(twoFactorToken)));
          return verify();
        });
    let answer: BridgeAnswer;
    try {
      answer = await verify();
    } catch (error) {
      if (claimed) await store.releaseProof(db, claimed);
      if (!principal) newSessions.failed(request, error, { by: kind }, async () => userId);
      // The session has ended meanwhile, so better-auth looked for a sign-in that waits.
      else if (error instanceof ServiceError && error.code === 'invalid_token')
        throw new ServiceError('unauthenticated');
      throw error;
    }
    if (!principal && (await users.selectSettledPasswordHash(db, { id: userId })) !== passwordBefore) {
      // The password changed after better-auth took the challenge, and before it created the session.
      await sessions.deleteSessionByToken(db, required(answer.sessionToken));
      throw new ServiceError('invalid_token');
    }
    if (!principal)
      await newSessions.handOut(
        request,
        required(answer.sessionToken),
        { by: kind },
        store.challengeOf(twoFactorToken),
      );
    await clearAttempts();
    return { ...answer, userId };
  };
}

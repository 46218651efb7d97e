// The operations on the second factor. Each code works once, failed codes are counted, and a session carries
// the proof.
import type { FastifyRequest } from 'fastify';
import { type Caller, sessions } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { requireFound, ServiceError } from '../../base/errors.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { type BridgeAnswer, CodesChanged, required, toSignedIn } from '../better-auth/bridge.ts';
import { isCodeOf, newApp, toTotpUri } from '../better-auth/second-factor-makings.ts';
import type { SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import { enableInSession, renewSession, replaceSession, tokenOfRequest } from '../sessions/renew-session.ts';
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
  const attempts = createAttempts(services);

  /**
   * The first code of an app enables the second factor, or adds the app to passkeys. Ours, because better-auth would
   * go on with a session that ends, and an app that is replaced, meanwhile.
   */
  async function verifyFirst(request: FastifyRequest, caller: Caller, code: string): Promise<SignedIn> {
    const { userId } = caller.principal;
    const clearAttempts = await attempts.count(request, userId, 'step-up');
    const signedIn = await changeOwn(db, caller, async (tx, { principal }) => {
      const sealed = await store.selectSealedSecret(tx, userId);
      if (sealed === undefined) throw new ServiceError('two_factor_not_enabled');
      const isNew = await store.claimProof(tx, userId, store.codeOf(userId, code));
      if (!(isNew && (await isCodeOf(auth, sealed, code)))) throw new ServiceError('invalid_code');
      const { email, name } = requireFound(await users.selectUser(tx, userId));
      // Another code can have been the first.
      if (!(await store.hasApp(tx, userId)))
        await notices.tell(tx, request, { userId, kind: 'second_factor_enabled' });
      const token =
        principal.secondFactor === 'not_enabled'
          ? await enableInSession(tx, request, principal, () =>
              users.setSecondFactorEnabled(tx, userId, true),
            )
          : await addApp(tx, request, principal);
      return { token, user: { id: userId, email, name } };
    });
    await clearAttempts();
    return signedIn;
  }

  async function addApp(tx: Transaction, request: FastifyRequest, principal: Principal) {
    await store.verifyApp(tx, principal.userId);
    const token = await renewSession(tx, request, principal);
    await sessions.markSecondFactorProven(tx, principal.credential.id);
    return token ?? tokenOfRequest(request);
  }

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
      if (caller && kind === 'totp' && !(await store.hasApp(db, caller.principal.userId)))
        return verifyFirst(request, caller, proof.code);
      const { userId: _, ...answer } = await check(request, kind, proof, principal);
      if (!caller) return toSignedIn(answer);
      const renewed = await changeOwn(db, caller, async (tx) => {
        const token = await renewSession(tx, request, caller.principal);
        await sessions.markSecondFactorProven(tx, caller.principal.credential.id);
        return token;
      });
      return toSignedIn({ ...answer, sessionToken: renewed });
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
      const refusal = error instanceof ServiceError ? error.code : undefined;
      // The session has ended meanwhile, so better-auth looked for a sign-in that waits.
      if (principal && refusal === 'invalid_token') throw new ServiceError('unauthenticated');
      // If the second factor has ended meanwhile, the sign-in that waited has too: invalid_token. Without an app it waits.
      if (!principal && refusal === 'two_factor_not_enabled')
        await attempts.findUserId(request, twoFactorToken, null);
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

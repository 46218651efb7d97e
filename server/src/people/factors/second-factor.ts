// The operations on the second factor. Each code works once, failed codes are counted, and a session carries
// the proof.
import type { FastifyRequest } from 'fastify';
import { type Caller, sessions } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { toSignedIn } from '../better-auth/bridge.ts';
import { newApp, toTotpUri } from '../better-auth/second-factor-makings.ts';
import type { SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import { renewSession, replaceSession } from '../sessions/renew-session.ts';
import { changeOwn } from '../users/own-change.ts';
import * as users from '../users/store.ts';
import { type CodeKind, createCodeCheck, type Proof } from './code-check.ts';
import { createFirstCode } from './first-code.ts';
import * as passkeys from './passkeys/store.ts';
import * as store from './store.ts';

export function createSecondFactor(services: Services) {
  const { db, auth, bridge, guards, notices } = services;
  const check = createCodeCheck(services);
  const verifyFirst = createFirstCode(services);

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
      changeWithPassword(services, caller, password, async (tx, { userId, secondFactor }) => {
        if (await store.hasApp(tx, userId)) throw new ServiceError('two_factor_enabled');
        const { secret, backupCodes, sealed } = await newApp(auth);
        await store.replaceApp(tx, userId, sealed);
        // Beside passkeys, its codes are proofs at once.
        if (secondFactor !== 'not_enabled')
          await notices.tell(tx, request, { userId, kind: 'backup_codes_made' });
        return { totpURI: toTotpUri(secret, await users.selectEmail(tx, userId)), backupCodes };
      }),

    showSecret: (request: FastifyRequest, { userId }: Principal, password: string) =>
      guards.withPassword(userId, async () => {
        const { body } = await bridge.call(request, { operation: 'getTOTPURI', body: { password } });
        return { totpURI: String(body.totpURI) };
      }),

    disable: (request: FastifyRequest, caller: Caller, password: string) =>
      changeWithPassword(services, caller, password, async (tx, principal) => {
        const { userId } = principal;
        if (!(await passkeys.hasSecondFactor(tx, userId))) throw new ServiceError('two_factor_not_enabled');
        await users.disableSecondFactor(tx, userId);
        const token = await replaceSession(tx, request, principal);
        await notices.tell(tx, request, { userId, kind: 'second_factor_disabled' });
        return { token };
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

/** Changes the user's own factors, while the password that was checked is theirs. */
const changeWithPassword = <Result>(
  { db, guards, passwordCheck }: Services,
  caller: Caller,
  password: string,
  work: (tx: Transaction, principal: Principal) => Promise<Result>,
): Promise<Result> =>
  guards.withPassword(caller.principal.userId, async () => {
    const { userId } = caller.principal;
    const hash = await passwordCheck.requirePassword(userId, password);
    return changeOwn(db, caller, async (tx, { principal }) => {
      if ((await users.selectPasswordHash(tx, userId)) !== hash) throw new ServiceError('invalid_password');
      return work(tx, principal);
    });
  });

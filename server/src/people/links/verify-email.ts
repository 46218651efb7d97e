// Completes a sign-up, or a change of the address, with the token from a mail. The password shows that the person
// who opened the mail is the one who signed up or asked. Otherwise people could confirm the account of a stranger
// who entered their address.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/index.ts';
import { changesBetween } from '../../audit/index.ts';
import { hasCode, invalidRequest, ServiceError } from '../../base/errors.ts';
import { createSharedQuota } from '../../base/limits/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { byLink, recordOwn } from '../audited.ts';
import { isWithinLimit } from '../guards.ts';
import type { Notices } from '../notices/notices.ts';
import { done } from '../schema.ts';
import type { Services } from '../services.ts';
import { createAccount } from '../sign-in/new-account.ts';
import * as signUps from '../sign-in/store.ts';
import * as users from '../users/store.ts';
import * as links from './store.ts';

/** A link with this many wrong passwords is dead. None works for longer than this. */
const guesses = createSharedQuota('guesses-at-link', { requests: 10, windowSeconds: 24 * 60 * 60 });

type Body = { token: string; password?: string };

export function createVerifyEmail({ db, passwordCheck, notices }: Services) {
  const inTransaction = (work: (tx: Transaction) => Promise<void>) =>
    db.transaction(work).catch((error: unknown) => {
      // Another user has the address by now (unique_violation).
      if (hasCode(error, '23505')) throw new ServiceError('invalid_token', { cause: error });
      throw error;
    });

  async function inSession(request: FastifyRequest, token: string, caller: Caller) {
    const { userId, credential } = caller.principal;
    await inTransaction(async (tx) => {
      await users.lockOwnUser(tx, userId);
      await caller.recheck(tx);
      await completeChange(tx, notices, { request, token, userId, caller }, ({ sessionId }) => {
        if (sessionId === credential.id) return;
        throw new ServiceError('invalid_token', {
          detail:
            'The token is unknown, used or expired, or another session asked for the change. Send your password too.',
        });
      });
    });
  }

  /** Counts a guess at the password before it is checked. False: the link is dead. */
  async function countGuess(token: string) {
    const isGuess = await isWithinLimit(guesses.count(db, token));
    if (!isGuess) await guesses.refund(db, token);
    return isGuess;
  }

  async function withPassword(request: FastifyRequest, token: string, password: string) {
    const signUpHash = await signUps.selectSignUpHash(db, token);
    const userId =
      signUpHash === undefined ? await links.selectUserOfLink(db, token, 'change_email') : undefined;
    const works = (signUpHash ?? userId) !== undefined && (await countGuess(token));
    const hash = userId === undefined ? signUpHash : await users.selectPasswordHash(db, userId);
    const right = await passwordCheck
      .matches(works ? hash : undefined, password)
      .catch(async (error: unknown) => {
        // The password was not checked: too many others wait.
        if (works) await guesses.refund(db, token);
        throw error;
      });
    if (!works) throw new ServiceError('invalid_token');
    if (!right) throw new ServiceError('invalid_password');
    await inTransaction(async (tx) => {
      if (userId === undefined) return completeSignUp(tx, request, token);
      await users.lockOwnUser(tx, userId);
      await completeChange(tx, notices, { request, token, userId }, async () => {
        // A password that changed meanwhile has ended the link.
        if ((await users.selectPasswordHash(tx, userId)) !== hash) throw new ServiceError('invalid_token');
      });
    });
  }

  return async (request: FastifyRequest, caller: Caller | null, { token, password }: Body) => {
    if (password !== undefined) await withPassword(request, token, password);
    else if (caller) await inSession(request, token, caller);
    else
      throw invalidRequest(
        '/password',
        'is required, except in the session that asked for a new address',
        'required',
      );
    return done;
  };
}

async function completeSignUp(tx: Transaction, request: FastifyRequest, token: string) {
  const signUp = await signUps.takeSignUp(tx, token);
  if (!(signUp && (await createAccount(tx, signUp, (userId) => byLink(request, userId, 'sign_up')))))
    throw new ServiceError('invalid_token');
}

/**
 * Sets the new address. Lock the user first. `mayTake` throws when the caller may not complete this change.
 */
async function completeChange(
  tx: Transaction,
  notices: Notices,
  {
    request,
    token,
    userId,
    caller,
  }: { request: FastifyRequest; token: string; userId: string; caller?: Caller },
  mayTake: (asking: { sessionId: string }) => void | Promise<void>,
) {
  const change = await links.takeChange(tx, token);
  if (!change) throw new ServiceError('invalid_token');
  await mayTake(change);
  const old = await users.selectEmail(tx, userId);
  await users.updateEmail(tx, userId, change.email);
  await signUps.deleteSignUps(tx, change.email);
  const actor = caller?.actor ?? byLink(request, userId, 'change_email');
  const personal = { changes: changesBetween({ email: old }, { email: change.email }) };
  await recordOwn(tx, { actor, action: 'account.change_email', personal });
  await notices.tell(tx, request, { userId, kind: 'email_changed', to: [old, change.email] });
}

// Attempt limits that protect secrets. The counts are in the database, so instances share them and they
// survive a restart.
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import { addressGroup } from '../base/http/address-group.ts';
import { createSharedQuota, type Window } from '../base/limits/index.ts';
import type { Database } from '../base/postgres/database.ts';

type Guard = {
  /**
   * Counts an attempt before it is made, so that parallel attempts count too. @throws ServiceError
   * rate_limited above the limit
   */
  count(key: string): Promise<void>;
  /** Uncounts an attempt that was not a wrong guess. */
  refund(key: string): Promise<void>;
  clear(key: string): Promise<void>;
};

export type Guards = ReturnType<typeof createGuards>;
export type InvitationGuard = Guards['invitations'];

/** `inviterId` null: an operator, who may move a company here. A token for one partner must not flood an address. */
type Invitation = { partnerId: string; inviterId: string | null; email: string };

type Options = {
  db: Database;
  /** False: nothing is limited. */
  enabled: boolean;
  mails: Window;
};

const createGuard =
  (db: Database, enabled: boolean) =>
  /** `name` is that of the limit in a 429. */
  (name: string, requests: number, windowSeconds: number, problem?: string): Guard => {
    const { count, refund, clear } = createSharedQuota(name, { requests, windowSeconds }, problem);
    const ifEnabled = (act: typeof count) => async (key: string) => {
      if (enabled) await act(db, key);
    };
    return { count: ifEnabled(count), refund: ifEnabled(refund), clear: ifEnabled(clear) };
  };

export function createGuards({ db, enabled, mails }: Options) {
  const guard = createGuard(db, enabled);
  const wrong = 'Too many wrong attempts';
  const password = guard('password', 10, 60 * 60, wrong);
  // By the hour, but for the first. Strangers cannot use up what others need: limits by asker come first, and
  // resets have one of their own.
  const mailsOfAddress =
    mails === 'off'
      ? null
      : guard(
          'mails-of-address',
          mails.requests,
          mails.windowSeconds,
          'Too many mails for your network address',
        );
  const mailsOfUser = guard('mails-of-user', 10, 60 * 60, 'Too many mails for your account');
  const mailFromAddress = guard('mail-from-address', 5, 60 * 60);
  const mail = guard('mail', 30, 60 * 60);
  const resetMail = guard('mail-reset', 10, 60 * 60);
  const invitations = 'Too many invitations';
  const invitationsOfPartner = guard('invitations', 50, 60 * 60, invitations);
  const invitationsOfInviter = guard('invitations-of-inviter', 100, 60 * 60, invitations);
  const invitationsToOne = guard('invitations-to-one', 10, 60 * 60, invitations);
  const userCodes = guard('user-codes', 10, 15 * 60);
  const userCodesOfAddress = guard('user-codes-of-address', 50, 15 * 60);
  return {
    /**
     * Failed sign-ins, by account and address, so that a stranger at another address cannot lock the owner out.
     */
    signIn: guard('sign-in', 10, 15 * 60, wrong),
    /** Failed codes of the second factor, by account and address. */
    secondFactor: guard('second-factor', 10, 15 * 60, wrong),
    /** Failed codes by account alone, because many addresses would otherwise add up to many guesses. */
    secondFactorOfUser: guard('second-factor-of-user', 50, 60 * 60, wrong),
    /** Runs work that checks the user's password. @throws ServiceError rate_limited after ten wrong ones in an hour */
    async withPassword<T>(userId: string, work: () => Promise<T>) {
      await password.count(userId);
      const result = await work().catch(async (error: unknown) => {
        if (!(error instanceof ServiceError && error.code === 'invalid_password'))
          await password.refund(userId);
        throw error;
      });
      await password.clear(userId);
      return result;
    },
    failedSignIn: guard('failed-sign-in', 10, 60 * 60),
    exports: guard('export', 5, 60 * 60),
    backupCodes: guard('backup-codes', 3, 10),
    /** Programs that ask for a token, by network address. */
    deviceAuthorizations: guard('device-authorizations', 20, 15 * 60),
    /** User codes that name no program, by user and by address: accounts cost little. */
    userCodes: together(({ userId, address }: { userId: string; address: string }) => [
      [userCodes, userId],
      [userCodesOfAddress, address],
    ]),
    /**
     * Counts a mail for those who ask: the network address, and the user if signed in. Count it whether a mail
     * will be sent or not, since the count must tell nothing about the recipient. @throws ServiceError
     * rate_limited
     */
    countAsker({ ip }: FastifyRequest, userId?: string) {
      const ofAddress: Count[] = mailsOfAddress === null ? [] : [[mailsOfAddress, addressGroup(ip)]];
      const ofUser: Count[] = userId === undefined ? [] : [[mailsOfUser, userId]];
      return countAll([...ofAddress, ...ofUser]);
    },
    /** Counts a mail for its recipient. False: a limit is reached. Send no mail then, and answer as usual. */
    async mayMail({ ip }: FastifyRequest, purpose: string, email: string) {
      const toOne: Count = [mailFromAddress, `${purpose} ${email} ${addressGroup(ip)}`];
      const ofRecipient: Count = [purpose === 'reset' ? resetMail : mail, email];
      return isWithinLimit(countAll([toOne, ofRecipient]));
    },
    /** Refund an invitation that sent no mail. */
    invitations: together(({ partnerId, inviterId, email }: Invitation) => [
      ...(inviterId === null
        ? []
        : [[invitationsOfPartner, partnerId] as const, [invitationsOfInviter, inviterId] as const]),
      [invitationsToOne, `${inviterId ?? partnerId} ${email}`],
    ]),
  };
}

type Count = readonly [guard: Guard, key: string];

/** One guard of several counts. @throws ServiceError rate_limited */
const together = <Of>(countsOf: (of: Of) => readonly Count[]) => ({
  count: (of: Of) => countAll(countsOf(of)),
  refund: (of: Of) => refundAll(countsOf(of)),
});

/** Counts in this order. What a later limit refuses does not count towards the earlier ones. */
async function countAll(counts: readonly Count[]) {
  for (const [index, [guard, key]] of counts.entries()) {
    await guard.count(key).catch(async (error: unknown) => {
      await refundAll(counts.slice(0, index));
      throw error;
    });
  }
}

export const isWithinLimit = (counting: Promise<void>) =>
  counting.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ServiceError) return false;
      throw error;
    },
  );

async function refundAll(counts: readonly Count[]) {
  for (const [guard, key] of counts) await guard.refund(key);
}

// Attempt limits that protect secrets. The counts are in the database, so instances share them and they survive a restart.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ServiceError } from '../errors.ts';
import { limitReached } from '../http/limit-reached.ts';
import { addressGroup } from '../http/limits.ts';
import type { Database } from '../postgres/database.ts';

export type Guard = {
  /** Counts an attempt before it is made, so that parallel attempts count too. @throws ServiceError rate_limited above the limit */
  count(key: string): Promise<void>;
  /** Uncounts an attempt that was not a wrong guess. */
  refund(key: string): Promise<void>;
  /** Resets the count after a success. */
  clear(key: string): Promise<void>;
};

export type Guards = {
  /** Failed sign-ins, by account and address, so that a stranger at another address cannot lock the owner out. */
  signIn: Guard;
  /** Failed codes of the second factor, by account and address. */
  secondFactor: Guard;
  /** Failed codes by account alone, because many addresses would otherwise add up to many guesses. */
  secondFactorOfUser: Guard;
  withPassword: WithPassword;
  /** New sets of backup codes, by user. */
  backupCodes: Guard;
  /**
   * Counts mails that anyone can request, by recipient and requesting address, and by recipient alone. False: a limit is reached.
   * Send no mail then, and answer as usual.
   */
  mayMail(request: FastifyRequest, purpose: string, email: string): Promise<boolean>;
  /** Invitations, by partner. */
  invitations: Guard;
};

/** Runs work that checks the user's password. @throws ServiceError rate_limited after ten wrong passwords in an hour */
type WithPassword = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

export function createGuards({ pool }: Pick<Database, 'pool'>, enabled: boolean): Guards {
  /** `keyPrefix` is also the name of the limit in a 429. */
  function guard(keyPrefix: string, points: number, duration: number): Guard {
    if (!enabled) return { count: async () => {}, refund: async () => {}, clear: async () => {} };
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'guard_count',
      schemaName: 'public',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });
    return {
      async count(key) {
        await limiter.consume(hashed(key)).catch((refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          const secondsLeft = refusal.msBeforeNext / 1_000;
          throw limitReached({ name: keyPrefix, quota: points, windowSeconds: duration, secondsLeft });
        });
      },
      async refund(key) {
        await limiter.reward(hashed(key), 1);
      },
      async clear(key) {
        await limiter.delete(hashed(key));
      },
    };
  }
  const password = guard('password', 10, 60 * 60);
  const mailFromAddress = guard('mail-from-address', 5, 60 * 60);
  const mail = guard('mail', 30, 60 * 60);
  return {
    signIn: guard('sign-in', 10, 15 * 60),
    secondFactor: guard('second-factor', 10, 15 * 60),
    secondFactorOfUser: guard('second-factor-of-user', 50, 60 * 60),
    async withPassword(userId, work) {
      await password.count(userId);
      const result = await work().catch(async (error: unknown) => {
        if (!(error instanceof ServiceError && error.code === 'invalid_password')) await password.refund(userId);
        throw error;
      });
      await password.clear(userId);
      return result;
    },
    backupCodes: guard('backup-codes', 3, 10),
    async mayMail({ ip }, purpose, email) {
      try {
        await mailFromAddress.count(`${purpose} ${email} ${addressGroup(ip)}`);
        await mail.count(email);
        return true;
      } catch (error) {
        if (error instanceof ServiceError) return false;
        throw error;
      }
    },
    invitations: guard('invitations', 50, 60 * 60),
  };
}

/** Hashes give keys one length, and keep e-mail addresses out of the table. */
const hashed = (key: string) => createHash('sha256').update(key).digest('base64url');

// Checks the password of a user. It takes the same time for users without a password, so the time reveals nothing.
import { ServiceError } from '../errors.ts';
import type { Database } from '../postgres/database.ts';
import type { Passwords } from './better-auth/passwords.ts';
import { selectPasswordHash } from './users/store.ts';

export type PasswordCheck = {
  /** Returns the hash that the password matches. @throws ServiceError invalid_password */
  requirePassword(userId: string, password: string): Promise<string>;
  /** Whether the password matches. Without a hash it does the same work, and answers false. */
  matches(hash: string | undefined, password: string): Promise<boolean>;
};

export function createPasswordCheck({ db, passwords }: { db: Database; passwords: Passwords }): PasswordCheck {
  let decoy: Promise<string> | undefined;

  async function matches(hash: string | undefined, password: string): Promise<boolean> {
    if (hash !== undefined) return passwords.verify({ hash, password });
    decoy ??= passwords.hash(crypto.randomUUID()).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    });
    await passwords.verify({ hash: await decoy, password });
    return false;
  }

  return {
    matches,
    async requirePassword(userId, password) {
      const hash = await selectPasswordHash(db, userId);
      if (!(await matches(hash, password)) || hash === undefined) throw new ServiceError('invalid_password');
      return hash;
    },
  };
}

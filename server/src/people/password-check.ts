// Checks the password of a user. It takes the same time for users without a password, so the time reveals
// nothing.
import { ServiceError } from '../base/errors.ts';
import type { Database } from '../base/postgres/database.ts';
import type { Passwords } from './better-auth/passwords.ts';
import { selectPasswordHash } from './users/store.ts';

/** Salt and key of a scrypt hash (better-auth/passwords.ts) that no password has. */
const decoy = `${'0'.repeat(32)}:${'0'.repeat(128)}`;

export function createPasswordCheck(db: Database, passwords: Passwords) {
  /** Whether the password matches. Without a hash it does the same work, and answers false. */
  const matches = (hash: string | undefined, password: string) =>
    passwords.verify({ hash: hash ?? decoy, password });
  return {
    matches,
    /** Returns the hash that the password matches. @throws ServiceError invalid_password */
    async requirePassword(userId: string, password: string) {
      const hash = await selectPasswordHash(db, userId);
      if (!(await matches(hash, password)) || hash === undefined) throw new ServiceError('invalid_password');
      return hash;
    },
  };
}

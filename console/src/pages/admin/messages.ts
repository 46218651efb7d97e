// The words for the platform: the same state has the same words on every page of operators.
import type { SigningKey, User } from '@concord/client';
import { formatMs } from '#format/numbers.ts';
import type { State } from '#messages/state.ts';

/** `differenceMs`: the clock of the instance that answers, minus the database's. */
export const nameDifference = (differenceMs: number): string =>
  Math.round(differenceMs) === 0
    ? 'The clocks of this instance and of the database agree.'
    : `The clock of this instance is ${formatMs(Math.abs(differenceMs))} ${differenceMs > 0 ? 'ahead of' : 'behind'} the clock of the database.`;

export const roleNames: Readonly<Record<User['role'], string>> = { operator: 'Operator', user: 'User' };

/** A ban that has ended has no effect. */
export const isBanned = ({ banned, ban_expires_at }: User): boolean =>
  banned && (ban_expires_at === null || Date.parse(ban_expires_at) > Date.now());

/** A program of a partner. It is a user that cannot sign in, so its address leads nowhere. */
export const isServiceAccount = ({ email }: User): boolean => email.endsWith('@service-account.invalid');

export function userState(user: User): State {
  if (isBanned(user)) return { tone: 'bad', label: 'Banned' };
  if (isServiceAccount(user)) return { tone: 'neutral', label: 'Service account' };
  if (!user.email_verified) return { tone: 'warning', label: 'Address not confirmed' };
  return { tone: 'good', label: 'Active' };
}

export const keyStates: Readonly<Record<SigningKey['state'], State & { readonly about: string }>> = {
  pending: { tone: 'info', label: 'Published', about: 'Receivers can fetch it. It does not sign yet.' },
  active: { tone: 'good', label: 'Signing', about: 'It signs every webhook of its environment.' },
  retired: {
    tone: 'neutral',
    label: 'Retired',
    about: 'It no longer signs. It stays published, so that old requests can be verified.',
  },
  removed: { tone: 'neutral', label: 'Removed', about: 'It is no longer published.' },
  revoked: {
    tone: 'bad',
    label: 'Revoked',
    about: 'It was removed at once. Nothing that it signed is valid any more.',
  },
};

// What a user is on the wire, and what a change of one leaves in the audit log. Pure.
import type { Static } from 'typebox';
import { type Changes, changesBetween, splitChanges } from '../../audit/index.ts';
import type * as wire from './schema.ts';
import type { UserRow } from './store.ts';

export type User = Static<typeof wire.User>;

/** `after` null: the user is deleted. */
export const changesOf = (before: User | null, after: User | null) =>
  splitChanges(changesBetween(before, after), personalMembers);

/** The changes of a deletion, without the personal ones. */
export const removed = (row: UserRow | undefined): Changes =>
  row ? changesOf(toUser(row), null).changes : {};

/** Values about the user, which are erased with the user. */
const personalMembers = ['email', 'name', 'ban_reason'];

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    email_verified: row.email_verified,
    role: row.role === 'operator' ? 'operator' : 'user',
    banned: row.banned === true,
    ban_reason: row.ban_reason,
    ban_expires_at: row.ban_expires?.toISOString() ?? null,
    two_factor_enabled: row.two_factor_enabled === true,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

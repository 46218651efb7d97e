// What a user is on the wire, and what a change of one leaves in the audit log. Pure.
import type { Static } from 'typebox';
import { changesBetween, splitChanges } from '../../audit/index.ts';
import { withTextTimes } from '../../base/postgres/sql/rows.ts';
import type * as wire from './schema.ts';
import type { UserRow } from './store.ts';

export type User = Static<typeof wire.User>;

/** `after` null: the user is deleted. */
export const changesOf = (before: User | null, after: User | null) =>
  splitChanges(changesBetween(before, after), personalMembers);

/** Values about the user, which are erased with the user. */
const personalMembers = ['email', 'name', 'ban_reason'];

export const toUser = (row: UserRow): User => withTextTimes(row);

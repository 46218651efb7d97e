// What a change of a user leaves in the audit log. Pure.
import { changesBetween, splitChanges } from '../../audit/index.ts';
import type { User } from './schema.ts';

/** `after` null: the user is deleted. */
export const changesOf = (before: User | null, after: User | null) =>
  splitChanges(changesBetween(before, after), personalMembers);

/** Values about the user, which are erased with the user. */
const personalMembers = ['email', 'name', 'ban_reason'];

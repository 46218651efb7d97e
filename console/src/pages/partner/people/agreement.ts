// What an agreement is, in words and states.
import type { Agreement } from '@concord/client';
import { summarize } from '#ui/permissions/permission-sets.ts';

export type State = 'pending' | 'active' | 'expired';

export const stateOf = ({ accepted, expires_at }: Agreement): State =>
  expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : accepted ? 'active' : 'pending';

const serviceAddress = /^(usr_\w+)@service-account\.invalid$/;
/** The id of the service account whose agreement this is. Null: a person. */
export const serviceAccountOf = ({ user }: Agreement): string | null =>
  serviceAddress.exec(user.email)?.[1] ?? null;

export const nameOf = ({ user }: Agreement): string => user.name ?? user.email;

/** `Owner`, the names of the groups, and how much is granted directly. */
export function describeAccess({ owner, acl_permission_groups, acl_permissions }: Agreement): string {
  if (owner) return 'Owner';
  const parts = acl_permission_groups.map(({ name }) => name);
  if (acl_permissions.length > 0) parts.push(`${summarize(acl_permissions)} of their own`);
  return parts.join(', ') || 'No permissions';
}

/**
 * Addresses with commas, semicolons, spaces or lines between them, each once. `Ann Lee <ann@nordlys.example>`
 * is one. Names have a bound, so that a long text takes no long time.
 */
export function splitAddresses(text: string): string[] {
  const withoutNames = text.replace(/(?<![^\s,;<>])[^;<>@\n]{0,200}</g, ' ');
  const words = withoutNames.split(/[\s,;<>]+/).filter((word) => word !== '');
  const seen = new Set<string>();
  return words.filter((word) => !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()));
}

/**
 * The page at which the invited person signs in and answers. It has no token: only the mail proves the
 * address.
 */
export const plainLinkOf = ({ id }: Agreement): string =>
  `${window.location.origin}/console/invitations/${id}`;

// The people whom a member can ask for a permission.
import type { Granted } from '../../access/index.ts';
import {
  addedGrants,
  covers,
  type Grant,
  heldUntilMs,
  holds,
  type Method,
  type Permission,
  toAclPermission,
} from '../../access/permissions/index.ts';
import { formatId, parseId } from '../../base/ids.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import {
  type Grantor,
  inheritsMfa,
  mayGive,
  memberTerms,
  type PermissionGroup,
  seesAgreements,
  toGrantor,
} from '../agreement.ts';
import { selectDefaultGroup, selectEveryGroup } from '../groups/store.ts';
import { type Member, selectPeople } from '../members/store.ts';

const maxGrantors = 100;
const batchSize = 500;

export async function listGrantors(on: Queryable, granted: Granted, permission: Permission) {
  const { partnerId } = granted;
  const shown = seesAgreements(granted);
  const defaultGroup = await selectDefaultGroup(on, partnerId);
  const found = await findPeople(on, partnerId, {
    limit: maxGrantors,
    grants: [permission, ...addedGrants([], defaultGroup?.acl_permissions ?? [])],
    wanted: (grantor) => canGive(grantor, permission, defaultGroup),
  });
  return found.map(({ membership: { agreementId, owner }, user, email }) => ({
    name: user?.name ?? '',
    owner,
    email: shown ? email : null,
    agreement_id: shown ? formatId('agreement', agreementId) : null,
  }));
}

/** `grants`: what `wanted` asks for, beside creating and updating agreements. */
type Search = { limit: number; grants: readonly Grant[]; wanted: (grantor: Grantor) => boolean };

/** People who may create or update agreements, and are wanted. Owners first. */
export async function findPeople(on: Queryable, partnerId: string, { limit, grants, wanted }: Search) {
  const groups = findAlike(await selectEveryGroup(on, partnerId), grants);
  const found: Member[] = [];
  for (const owner of [true, false]) {
    for (let after: string | null | undefined = null; after !== undefined && found.length < limit; ) {
      const batch: Member[] = await selectPeople(on, partnerId, { owner, groups, after, limit: batchSize });
      found.push(...batch.filter((member) => wanted(toGrantor(member.user, member.membership))));
      after = batch.length < batchSize ? undefined : batch.at(-1)?.membership.agreementId;
    }
  }
  return found.slice(0, limit);
}

const administering = (['post', 'patch'] as const).map(
  (method): Grant => ({ resource: 'agreements', method }),
);

/**
 * The groups that give some of these grants. One stands for all that give the same of them: ten thousand agreements
 * can carry the same fifty groups.
 */
function findAlike(groups: readonly Group[], grants: readonly Grant[]) {
  const firsts = new Map<string, string>();
  return groups.flatMap(({ id, acl_permissions: held }) => {
    const given = [...administering, ...grants].map((grant) => covers(held, grant));
    const groupId = parseId('permission_group', id);
    if (groupId === null || !given.includes(true)) return [];
    const likeId = firsts.get(given.join()) ?? groupId;
    firsts.set(given.join(), likeId);
    return [{ groupId, likeId, administers: given.slice(0, administering.length).includes(true) }];
  });
}

type Group = Pick<PermissionGroup, 'id' | 'acl_permissions'>;

/** Whether the grantor can give it to somebody by an agreement (behaviour A8, A12). */
function canGive(grantor: Grantor, permission: Permission, defaultGroup: Group | undefined) {
  return (
    (mayUseAgreements(grantor, 'patch') && canGiveByUpdate(grantor, permission)) ||
    (mayUseAgreements(grantor, 'post') &&
      defaultGroup !== undefined &&
      canGiveByInvitation(grantor, permission, defaultGroup))
  );
}

export const mayUseAgreements = ({ principal, membership }: Grantor, method: Method) =>
  holds(principal, membership, [{ resource: 'agreements', method }]);

/** Adds it to an agreement on terms as strict as the grantor's own. */
function canGiveByUpdate(grantor: Grantor, permission: Permission) {
  const heldMs = heldUntilMs(grantor.principal, grantor.membership, [permission]);
  const end = Number.isFinite(heldMs) ? new Date(heldMs).toISOString() : null;
  const before = memberTerms({ mfa_required: true, expires_at: end });
  return mayGive(grantor, before, {
    ...before,
    acl_permissions: [toAclPermission(permission.resource, [permission.method])],
  });
}

/** A new agreement has nothing but the default group, and no end. */
function canGiveByInvitation(grantor: Grantor, permission: Permission, group: Group) {
  if (!covers(group.acl_permissions, permission)) return false;
  return mayGive(grantor, null, memberTerms({ mfa_required: inheritsMfa(grantor), groups: [group] }));
}

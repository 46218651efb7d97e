// What a change of a permission group does to the agreements that carry it, before it is made. Pure: no SQL,
// no HTTP.

import { effectOfGroup, permissionName } from '../../access/permissions/index.ts';
import { formatId, parseId } from '../../base/ids.ts';
import { type Grantor, type PermissionGroup, seesAgreements } from '../agreement.ts';
import type { Member } from '../members/store.ts';
import type { GroupPreview } from './schema.ts';

/**
 * `next`: the group after the change. `total`: how many agreements carry it. `members`: those that the answer
 * shows.
 */
export function toPreview(
  grantor: Grantor,
  next: Pick<PermissionGroup, 'id' | 'acl_permissions'>,
  { total, members }: { total: number; members: readonly Member[] },
): GroupPreview {
  const effectOn = effectOfGroup(parseId('permission_group', next.id) ?? '', next.acl_permissions);
  const shown = seesAgreements(grantor);
  return {
    total,
    agreements: members.map(({ membership, email, user, state }) => {
      // A pending or expired agreement grants nothing, before or after.
      const { gained, lost } = state === 'active' ? effectOn(membership) : { gained: [], lost: [] };
      return {
        agreement_id: shown ? formatId('agreement', membership.agreementId) : null,
        email: shown ? email : null,
        name: shown ? (user?.name ?? null) : null,
        owner: membership.owner,
        state,
        gained: gained.map(permissionName),
        lost: lost.map(permissionName),
      };
    }),
  };
}

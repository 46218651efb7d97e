// Who carries a group.
import {
  type AclPermissionGroup,
  type AclPermissionGroupPreview,
  listPartnerAgreements,
  previewAclPermissionGroup,
} from '@concord/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { client } from '#api/client.ts';
import { keyOf } from '#api/read.ts';
import { useAccess } from '#app/session.ts';
import { stateOf } from '../people/agreement.ts';

type Carrier = Pick<
  AclPermissionGroupPreview['agreements'][number],
  'agreement_id' | 'email' | 'name' | 'state'
>;
export type Carriers = {
  readonly agreements: readonly Carrier[];
  /** Null: there can be more than these. */
  readonly total: number | null;
};

/** The API cannot filter agreements by group, so this looks through so many. */
export const maxAgreements = 500;

/**
 * A preview that changes nothing tells it exactly, to those who may change the group. Otherwise the newest
 * agreements do.
 * Null: the person may see neither.
 */
export function useCarriers(group: AclPermissionGroup): UseQueryResult<Carriers> | null {
  const { can, partner } = useAccess();
  const hasPreview = group.type === 'custom' && can('acl_permission_groups', 'patch');
  const hasList = can('agreements', 'query');
  const query = useQuery({
    queryKey: [
      ...keyOf(previewAclPermissionGroup, { path: { id: partner, group_id: group.id }, body: group }),
      hasPreview,
    ],
    enabled: hasPreview || hasList,
    queryFn: async ({ signal }): Promise<Carriers> => {
      if (hasPreview) {
        const path = { id: partner, group_id: group.id };
        const body = { acl_permissions: group.acl_permissions };
        return previewAclPermissionGroup({ client, signal, path, body });
      }
      const agreements = await listPartnerAgreements({
        client,
        signal,
        path: { id: partner },
        query: { page_size: maxAgreements, sort_dir: 'desc' },
      });
      const carrying = agreements.filter(({ acl_permission_group_ids }) =>
        acl_permission_group_ids.includes(group.id),
      );
      return {
        agreements: carrying.map((agreement) => ({
          agreement_id: agreement.id,
          email: agreement.user.email,
          name: agreement.user.name,
          state: stateOf(agreement),
        })),
        total: agreements.length < maxAgreements ? carrying.length : null,
      };
    },
  });
  return hasPreview || hasList ? query : null;
}

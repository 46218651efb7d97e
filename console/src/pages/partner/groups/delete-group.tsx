// Asks before a group is deleted. People who carry it lose what it grants.
import { type AclPermissionGroup, deleteAclPermissionGroup } from '@concord/client';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { formatCount } from '#format/numbers.ts';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { groupProblems } from '../messages.ts';
import { useCarriers } from './use-carriers.ts';

type Props = {
  group: AclPermissionGroup;
  onClose: () => void;
  onGone?: () => Promise<unknown>;
};

export function DeleteGroup({ group, onClose, onGone }: Props) {
  const partner = usePartner();
  const total = useCarriers(group)?.data?.total ?? null;
  const carriers =
    total === null
      ? 'Everybody who has this group'
      : formatCount(total, 'agreement that uses it', 'agreements that use it');
  return (
    <Confirm
      title={`Delete the group ${group.name}?`}
      confirm={total === 0 ? 'Delete the group' : 'Delete the group and take it from everybody'}
      explain={groupProblems}
      onClose={onClose}
      onConfirm={async () => {
        await write(
          deleteAclPermissionGroup,
          {
            path: { id: partner, group_id: group.id },
            // Nobody carried it when the person was asked, so nobody may lose it unasked.
            query: total === 0 ? {} : { detach: true },
          },
          { done: `The group ${group.name} is deleted.`, leave: onGone },
        );
      }}
    >
      {total === 0 ? (
        <p>No agreement uses it. It cannot be restored.</p>
      ) : (
        <p>
          {carriers} {total === 1 || total === null ? 'loses' : 'lose'} what it grants with the next request,
          unless something else grants it too. It cannot be restored.
        </p>
      )}
    </Confirm>
  );
}

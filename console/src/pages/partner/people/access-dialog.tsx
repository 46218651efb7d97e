// Changes the groups and own permissions of an agreement. What is gained and lost is shown before it is
// saved.
import { type AclPermission, type Agreement, listAclPermissionGroups } from '@concord/client';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { useAccess } from '#app/session.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { FieldSet } from '#ui/form/field.tsx';
import { Changes } from '#ui/permissions/changes.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { differenceOf } from '#ui/permissions/permission-sets.ts';
import { agreementProblems } from '../messages.ts';
import { nameOf, stateOf } from './agreement.ts';
import { GroupChoice } from './group-choice.tsx';
import { saveAgreement } from './save-agreement.ts';

type Props = { opened: Answer<Agreement>; onClose: () => void };

export function AccessDialog({ opened, onClose }: Props) {
  const { can, partner } = useAccess();
  const canSeeGroups = can('acl_permission_groups', 'query');
  const groups = useRead(listAclPermissionGroups, { path: { id: partner } }, { enabled: canSeeGroups });
  const { data: agreement } = opened;
  const [own, setOwn] = useState<AclPermission[]>(agreement.acl_permissions);
  const [ids, setIds] = useState<string[]>(agreement.acl_permission_group_ids);
  const known = new Map(
    [...agreement.acl_permission_groups, ...(groups.data?.data ?? [])].map((group) => [group.id, group]),
  );
  const before = [
    ...agreement.acl_permissions,
    ...agreement.acl_permission_groups.flatMap((group) => group.acl_permissions),
  ];
  const after = [...own, ...ids.flatMap((id) => known.get(id)?.acl_permissions ?? [])];
  return (
    <FormDialog
      title={`Access of ${nameOf(agreement)}`}
      onClose={onClose}
      isWide
      submit="Save the access"
      explain={agreementProblems}
      onSubmit={async () => {
        const mine = { acl_permissions: own, ...(canSeeGroups && { acl_permission_group_ids: ids }) };
        await saveAgreement({ partner, opened, mine });
        onClose();
      }}
    >
      {canSeeGroups && <GroupChoice chosen={ids} onChange={setIds} />}
      <FieldSet
        legend="Own permissions"
        help="In addition to the groups. There is no way to deny what a group grants."
      >
        <PermissionPicker label="Own permissions" value={own} onChange={setOwn} mayGive={can} />
      </FieldSet>
      <FieldSet
        legend={
          stateOf(agreement) === 'active'
            ? 'What this changes'
            : 'What this changes once the agreement counts'
        }
      >
        <div aria-live="polite">
          <Changes {...differenceOf(before, after)} />
        </div>
      </FieldSet>
    </FormDialog>
  );
}

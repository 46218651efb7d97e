// Creates a group: its name, and what it grants.
import { type AclPermission, createAclPermissionGroup } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { useAccess } from '#app/session.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { FieldSet, TextField } from '#ui/form/field.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { groupProblems } from '../messages.ts';

export function CreateGroupDialog({ onClose }: { onClose: () => void }) {
  const { can, partner } = useAccess();
  const navigate = useNavigate();
  const [permissions, setPermissions] = useState<AclPermission[]>([]);
  return (
    <FormDialog
      title="Create a group"
      onClose={onClose}
      isWide
      submit="Create the group"
      explain={groupProblems}
      onSubmit={async (values) => {
        const body = { name: values.text('name'), acl_permissions: permissions };
        const group = await write(
          createAclPermissionGroup,
          { path: { id: partner }, body },
          { done: `The group ${body.name} is created.` },
        );
        onClose();
        if (group !== undefined && can('acl_permission_groups', 'get'))
          await navigate({ to: '/p/$partner/groups/$group', params: { partner, group: group.id } });
      }}
    >
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        autoFocus
        help="No other group of the partner may have it."
      />
      <FieldSet legend="What it grants">
        <PermissionPicker
          label="What the group grants"
          value={permissions}
          onChange={setPermissions}
          mayGive={can}
        />
      </FieldSet>
    </FormDialog>
  );
}

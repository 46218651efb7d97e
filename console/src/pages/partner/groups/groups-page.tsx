// The permission groups of a partner.
import {
  type AclPermission,
  type AclPermissionGroup,
  createAclPermissionGroup,
  getDefaultAclPermissionGroup,
  listAclPermissionGroups,
  setDefaultAclPermissionGroup,
} from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { FieldSet, TextField } from '#ui/form/field.tsx';
import { Page } from '#ui/layout/page.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { summarize } from '#ui/permissions/permission-sets.ts';
import { FilterSelect, Filters, FilterText, List, useListState } from '#ui/table/list.tsx';
import type { RowAction } from '#ui/table/table.tsx';
import { Faint, Soft, Time } from '#ui/text/text.tsx';
import { groupProblems, groupTypes } from '../messages.ts';
import { DeleteGroup } from './delete-group.tsx';
import { GroupLink } from './group-link.tsx';

export function GroupsPage() {
  const { can } = useAccess();
  return (
    <Page
      title="Groups"
      about="Named sets of permissions. A changed group takes effect for everybody who has it with their next request."
      action={
        can('acl_permission_groups', 'post') && (
          <DialogButton look="primary" dialog={(onClose) => <CreateGroupDialog onClose={onClose} />}>
            Create a group
          </DialogButton>
        )
      }
    >
      <Allowed resource="acl_permission_groups" method="query">
        <Groups />
      </Allowed>
    </Page>
  );
}

function Groups() {
  const { can, partner } = useAccess();
  const state = useListState({ filters: ['name', 'type'], sort: { by: 'name', direction: 'asc' } });
  const query = useRead(listAclPermissionGroups, { path: { id: partner }, query: state.query });
  const standard = useRead(
    getDefaultAclPermissionGroup,
    { path: { id: partner } },
    { enabled: can('acl_permission_groups', 'get') },
  );
  const standardId = standard.data?.data.acl_permission_group_id ?? null;
  const actionsOf = useGroupActions(standardId);

  return (
    <>
      <Filters>
        <FilterText state={state} name="name" label="Name" placeholder="contains" />
        <FilterSelect state={state} name="type" label="Type" any="Any type" options={groupTypes} />
      </Filters>
      <List
        label="Groups"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        actions={actionsOf}
        denied={<Denied resource="acl_permission_groups" method="query" />}
        empty={<Empty>There are no groups.</Empty>}
        columns={[
          {
            name: 'Group',
            sortBy: 'name',
            cell: ({ id, name }) => (
              <>
                <GroupLink id={id}>{name}</GroupLink>
                {id === standardId && <Soft> · default</Soft>}
              </>
            ),
          },
          { name: 'Type', cell: ({ type }) => groupTypes[type], isSecondary: true },
          { name: 'Grants', cell: ({ acl_permissions }) => summarize(acl_permissions) },
          {
            name: 'Changed',
            sortBy: 'updated_at',
            cell: ({ type, updated_at }) =>
              type === 'managed' ? <Faint>–</Faint> : <Time at={updated_at} />,
            isSecondary: true,
          },
        ]}
      />
    </>
  );
}

/** `standardId`: the default group. */
function useGroupActions(standardId: string | null): (group: AclPermissionGroup) => RowAction[] {
  const { can, partner } = useAccess();
  const { run } = useWrite();
  return (group) => {
    const { id, name, type } = group;
    if (type === 'managed') return [];
    const isDefault = id === standardId;
    return [
      ...(can('acl_permission_groups', 'put')
        ? [
            {
              label: isDefault ? 'No default group' : 'Make it the default',
              onSelect: () =>
                void run(
                  setDefaultAclPermissionGroup,
                  { path: { id: partner }, body: { acl_permission_group_id: isDefault ? null : id } },
                  { done: `New agreements get ${isDefault ? 'no group' : name}.` },
                ),
            },
          ]
        : []),
      ...(can('acl_permission_groups', 'delete')
        ? [
            {
              label: 'Delete',
              isDangerous: true,
              dialog: (onClose: () => void) => <DeleteGroup group={group} onClose={onClose} />,
            },
          ]
        : []),
    ];
  };
}

function CreateGroupDialog({ onClose }: { onClose: () => void }) {
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
        if (can('acl_permission_groups', 'get'))
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

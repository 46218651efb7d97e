// Which permission group each group of the directory gives to its members.
import {
  type AclPermissionGroup,
  getProvisionedGroup,
  listAclPermissionGroups,
  listProvisionedGroups,
  mapProvisionedGroup,
  type ProvisionedGroup,
} from '@concord/client';
import { useState } from 'react';
import { type Answer, readNow, useRead } from '#api/read.ts';
import { saveVersion } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { List, useListState } from '#ui/table/list.tsx';
import { Soft } from '#ui/text/text.tsx';

type Props = { path: { id: string; connection_id: string } };

export function DirectoryGroups({ path }: Props) {
  const state = useListState({ sort: { by: 'name', direction: 'asc' } });
  const query = useRead(listProvisionedGroups, { path, query: state.query });
  const groups = useRead(listAclPermissionGroups, { path: { id: path.id } });
  const known = groups.data?.data ?? [];
  const nameOf = (id: string | null) => known.find((group) => group.id === id)?.name ?? id;
  return (
    <List
      label="Groups of the directory"
      query={query}
      state={state}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      actions={(group) => [
        {
          label: 'Choose what it gives',
          dialog: (onClose) => <MapGroup path={path} group={group} onClose={onClose} />,
        },
      ]}
      empty={<Empty>The directory has no groups here.</Empty>}
      columns={[
        { name: 'Group of the directory', sortBy: 'name', isWide: true, cell: ({ name }) => name },
        {
          name: 'Gives',
          cell: ({ acl_permission_group_id: id }) => (id === null ? <Soft>Nothing</Soft> : nameOf(id)),
        },
        {
          name: 'People',
          isNumber: true,
          isSecondary: true,
          cell: ({ member_count }) => formatNumber(member_count),
        },
      ]}
    />
  );
}

type MapProps = Props & { group: ProvisionedGroup; onClose: () => void };
function MapGroup({ path, group, onClose }: MapProps) {
  const groups = useRead(listAclPermissionGroups, { path: { id: path.id } });
  const read = useRead(getProvisionedGroup, { path: { ...path, provisioned_group_id: group.id } });
  if (groups.data === undefined || read.data === undefined) return null;
  return <MapForm path={path} onClose={onClose} answer={read.data} groups={groups.data.data} />;
}

type FormProps = Omit<MapProps, 'group'> & {
  answer: Answer<ProvisionedGroup>;
  groups: readonly AclPermissionGroup[];
};
function MapForm({ path, answer, groups, onClose }: FormProps) {
  // The page reads the group again meanwhile, and the form keeps what it was opened with.
  const [opened] = useState(answer);
  const { id, name, member_count, acl_permission_group_id: present } = opened.data;
  const groupPath = { ...path, provisioned_group_id: id };
  const nameOf = (group: unknown) => groups.find((one) => one.id === group)?.name ?? '';
  return (
    <FormDialog
      title={`What ${name} gives`}
      description="You answer for it: nobody gets more than you may grant yourself."
      onClose={onClose}
      submit="Save"
      onSubmit={(values) => {
        const chosen = values.optional('acl_permission_group_id');
        return saveVersion<Pick<ProvisionedGroup, 'acl_permission_group_id'>>({
          thing: 'this group',
          opened,
          mine: { acl_permission_group_id: chosen },
          load: () => readNow(getProvisionedGroup, { path: groupPath }),
          save: (_, headers) => {
            const body = { acl_permission_group_id: chosen };
            return write(mapProvisionedGroup, { path: groupPath, body, headers });
          },
          names: { acl_permission_group_id: 'Group' },
          show: nameOf,
          done: `What ${name} gives is saved.`,
        });
      }}
    >
      <SelectField
        name="acl_permission_group_id"
        label="Group"
        defaultValue={present ?? ''}
        options={[
          { value: '', label: 'Nothing' },
          ...groups.map((one) => ({ value: one.id, label: one.name })),
        ]}
        help={`${formatCount(member_count, 'person has', 'people have')} it from now on, and no longer what ${name} gave before.`}
      />
    </FormDialog>
  );
}

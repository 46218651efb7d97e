// Which permission group each group of the directory gives to its members.
import {
  listAclPermissionGroups,
  listProvisionedGroups,
  mapProvisionedGroup,
  type ProvisionedGroup,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { write } from '../../../api/write.ts';
import { formatCount, formatNumber } from '../../../format/numbers.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { SelectField } from '../../../ui/form/field.tsx';
import { List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import { Soft } from '../../../ui/text/text.tsx';

type Props = { path: { id: string; connection_id: string } };

export function DirectoryGroups({ path }: Props) {
  const state = useListState({ sort: { by: 'name', direction: 'asc' } });
  const query = useRead(listProvisionedGroups, { path, query: state.query });
  const groups = useRead(listAclPermissionGroups, { path: { id: path.id } });
  const [mapped, setMapped] = useState<ProvisionedGroup | null>(null);
  const known = groups.data?.data ?? [];
  const nameOf = (id: string | null) => known.find((group) => group.id === id)?.name ?? id;
  return (
    <>
      <List
        label="Groups of the directory"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        actions={(group) => [{ label: 'Choose what it gives', onSelect: () => setMapped(group) }]}
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
      {mapped !== null && groups.data && (
        <FormDialog
          title={`What ${mapped.name} gives`}
          description="You answer for it: nobody gets more than you may grant yourself."
          onClose={() => setMapped(null)}
          hasCancel={false}
          submit="Save"
          onSubmit={async (values) => {
            await write(
              (client) =>
                mapProvisionedGroup({
                  client,
                  path: { ...path, provisioned_group_id: mapped.id },
                  body: { acl_permission_group_id: values.optional('acl_permission_group_id') },
                }),
              { done: `What ${mapped.name} gives is saved.` },
            );
            setMapped(null);
          }}
        >
          <SelectField
            name="acl_permission_group_id"
            label="Group"
            defaultValue={mapped.acl_permission_group_id ?? ''}
            options={[
              { value: '', label: 'Nothing' },
              ...known.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            help={`${formatCount(mapped.member_count, 'person has', 'people have')} it from now on, and no longer what ${mapped.name} gave before.`}
          />
        </FormDialog>
      )}
    </>
  );
}

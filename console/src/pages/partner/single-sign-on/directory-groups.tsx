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
import { formatNumber } from '../../../format/numbers.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { SelectField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import { Soft } from '../../../ui/text/text.tsx';
import { directoryWords } from './messages.ts';

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
        label={directoryWords.groups}
        query={query}
        state={state}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        actions={(group) => [{ label: directoryWords.choose, onSelect: () => setMapped(group) }]}
        empty={<Empty>{directoryWords.empty}</Empty>}
        columns={[
          { name: directoryWords.group, sortBy: 'name', isWide: true, cell: ({ name }) => name },
          {
            name: directoryWords.gives,
            cell: ({ acl_permission_group_id: id }) =>
              id === null ? <Soft>{directoryWords.nothing}</Soft> : nameOf(id),
          },
          {
            name: directoryWords.people,
            isNumber: true,
            isSecondary: true,
            cell: ({ member_count }) => formatNumber(member_count),
          },
        ]}
      />
      {mapped !== null && groups.data && (
        <Dialog
          title={directoryWords.title(mapped.name)}
          description={directoryWords.about}
          onClose={() => setMapped(null)}
          staysOpen
        >
          <Form
            submit={directoryWords.save}
            onSubmit={async (values) => {
              await write(
                (client) =>
                  mapProvisionedGroup({
                    client,
                    path: { ...path, provisioned_group_id: mapped.id },
                    body: { acl_permission_group_id: values.optional('acl_permission_group_id') },
                  }),
                { done: directoryWords.saved(mapped.name) },
              );
              setMapped(null);
            }}
          >
            <SelectField
              name="acl_permission_group_id"
              label={directoryWords.mapped}
              defaultValue={mapped.acl_permission_group_id ?? ''}
              options={[
                { value: '', label: directoryWords.nothing },
                ...known.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              help={directoryWords.help(mapped.member_count, mapped.name)}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}

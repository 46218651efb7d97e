// Gives a group another name.
import type { AclPermissionGroup } from '@concord/client';
import type { Answer } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { TextField } from '#ui/form/field.tsx';
import { groupProblems } from '../messages.ts';
import { saveGroup } from './save-group.ts';

type Props = { opened: Answer<AclPermissionGroup>; onClose: () => void };

export function RenameGroup({ opened, onClose }: Props) {
  const partner = usePartner();
  return (
    <FormDialog
      title={`Rename ${opened.data.name}`}
      onClose={onClose}
      submit="Rename the group"
      explain={groupProblems}
      onSubmit={async (values) => {
        await saveGroup({ partner, opened, mine: { name: values.text('name') } });
        onClose();
      }}
    >
      <TextField
        name="name"
        label="Name"
        defaultValue={opened.data.name}
        required
        maxLength={100}
        autoFocus
      />
    </FormDialog>
  );
}

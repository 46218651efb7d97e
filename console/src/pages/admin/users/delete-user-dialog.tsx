// Deletes a user: what goes, and what stays.
import { deleteUser, type User } from '@concord/client';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { TextField } from '#ui/form/field.tsx';
import { userProblems } from '../messages.ts';
import { OrphanField, useOrphan } from './orphan-field.tsx';

type Props = { user: User; onClose: () => void; onDeleted?: (() => void) | undefined };

export function DeleteUserDialog({ user: { id, email }, onClose, onDeleted }: Props) {
  const orphan = useOrphan();
  const [fault, setFault] = useState<string>();
  return (
    <FormDialog
      title={`Delete ${email}?`}
      description="Deletes the account with its agreements, sessions and access tokens, and pending invitations to the address. It cannot be restored. The audit log keeps what the user did, without names and addresses."
      onClose={onClose}
      submit="Delete the user"
      look="danger"
      explain={userProblems}
      onSubmit={async (values) => {
        const isTyped = values.text('email').trim().toLowerCase() === email.toLowerCase();
        setFault(isTyped ? undefined : `Type ${email}`);
        if (!isTyped) return;
        await orphan.watch(() =>
          write(deleteUser, { path: { id }, query: orphan.query(values) }, { done: `${email} is deleted` }),
        );
        onClose();
        onDeleted?.();
      }}
    >
      <TextField
        name="email"
        label="Type the address of the user"
        required
        autoComplete="off"
        fault={fault}
        help={email}
      />
      <OrphanField {...orphan} />
    </FormDialog>
  );
}

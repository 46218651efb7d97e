// Bans a user: why, until when, and what follows.
import { banUser, type User } from '@concord/client';
import { write } from '#api/write.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { TextField } from '#ui/form/field.tsx';
import { userProblems } from '../messages.ts';
import { OrphanField, useOrphan } from './orphan-field.tsx';

export function BanDialog({ user: { id, email }, onClose }: { user: User; onClose: () => void }) {
  const orphan = useOrphan();
  return (
    <FormDialog
      title={`Ban ${email}?`}
      description="From the next request on, the user cannot sign in, and their sessions and access tokens do not work. Their agreements stay. You can lift the ban at any time."
      onClose={onClose}
      submit="Ban the user"
      look="danger"
      explain={userProblems}
      onSubmit={async (values) => {
        const end = values.optional('expires_at');
        await orphan.watch(() =>
          write(
            banUser,
            {
              path: { id },
              query: orphan.query(values),
              body: {
                reason: values.optional('reason'),
                expires_at: end === null ? null : new Date(end).toISOString(),
              },
            },
            { done: `${email} is banned` },
          ),
        );
        onClose();
      }}
    >
      <TextField name="reason" label="Reason" help="Optional. Operators see it." />
      <TextField
        name="expires_at"
        label="Ends"
        type="datetime-local"
        help="Optional. Without it the ban has no end."
      />
      <OrphanField {...orphan} />
    </FormDialog>
  );
}

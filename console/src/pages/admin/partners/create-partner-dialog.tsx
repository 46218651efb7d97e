// Creates a partner. Its page can change everything later, so this asks for little.
import { createPartner } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { write } from '#api/write.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { TextField } from '#ui/form/field.tsx';

export function CreatePartnerDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <FormDialog
      title="Create a partner"
      onClose={onClose}
      submit="Create the partner"
      onSubmit={async (values) => {
        const name = values.text('name').trim();
        const partner = await write(
          createPartner,
          {
            body: {
              name,
              description: values.optional('description'),
              website: values.optional('website'),
            },
          },
          { done: `${name} is created` },
        );
        onClose();
        if (partner) void navigate({ to: '/p/$partner', params: { partner: partner.id } });
      }}
    >
      <TextField name="name" label="Name" required autoFocus maxLength={255} help="As its people know it." />
      <TextField name="description" label="Description" help="Optional. What you do with this partner." />
      <TextField name="website" label="Website" help="Optional." />
    </FormDialog>
  );
}

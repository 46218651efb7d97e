// Creates a partner. Its page can change everything later, so this asks for little.
import { createPartner } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';

export function CreatePartnerDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog title="Create a partner" onClose={onClose} staysOpen>
      <Form
        submit="Create the partner"
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={async (values) => {
          const name = values.text('name').trim();
          const partner = await write(
            (client) =>
              createPartner({
                client,
                body: {
                  name,
                  description: values.optional('description'),
                  website: values.optional('website'),
                },
              }),
            { done: `${name} is created` },
          );
          onClose();
          if (partner) void navigate({ to: '/p/$partner', params: { partner: partner.id } });
        }}
      >
        <TextField
          name="name"
          label="Name"
          required
          autoFocus
          maxLength={255}
          help="As its people know it."
        />
        <TextField name="description" label="Description" help="Optional. What you do with this partner." />
        <TextField name="website" label="Website" help="Optional." />
      </Form>
    </Dialog>
  );
}

// Asks for the name of a new event type. Its page has the rest.
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { TextField } from '#ui/form/field.tsx';

const namePattern = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/;
const longest = 100;

export function NewEventTypeDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [fault, setFault] = useState<string>();
  return (
    <FormDialog
      title="Create an event type"
      onClose={onClose}
      submit="Write its schema"
      onSubmit={async (values) => {
        const name = values.text('name').trim();
        if (!namePattern.test(name) || name.length > longest) {
          setFault('Use words of a-z, 0-9 and _ with dots between them, such as order.status_changed.');
          return;
        }
        await navigate({ to: '/admin/event-types/$name', params: { name } });
      }}
    >
      <TextField
        name="name"
        label="Name"
        isCode
        required
        autoFocus
        maxLength={longest}
        fault={fault}
        help="Words with dots between them, such as order.status_changed. It cannot be changed later."
      />
    </FormDialog>
  );
}

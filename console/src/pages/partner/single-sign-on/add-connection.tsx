// The first steps of a set-up: which provider it is, and the client that is registered there.
import { createConnection } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { ClientFields, readClient } from './client-fields.tsx';
import { connectionProblems, providers } from './messages.ts';

type Props = { onClose: () => void };

export function AddConnection({ onClose }: Props) {
  const partner = usePartner();
  const navigate = useNavigate();
  const [id, setId] = useState(providers[0].id);
  const provider = providers.find((each) => each.id === id) ?? providers[0];
  return (
    <FormDialog
      title="Add a connection"
      onClose={onClose}
      submit="Add the connection"
      explain={connectionProblems}
      onSubmit={async (values) => {
        const body = { name: values.text('name'), ...readClient(values) };
        const made = await write(
          createConnection,
          { path: { id: partner }, body },
          { done: `${body.name} is added. Go on with the steps below.` },
        );
        onClose();
        await navigate({
          to: '/p/$partner/single-sign-on/$connection',
          params: { partner, connection: made.id },
        });
      }}
    >
      <SelectField
        name="provider"
        label="Identity provider"
        value={id}
        onChange={(event) => setId(event.target.value)}
        options={providers.map(({ id: value, name: label }) => ({ value, label }))}
        help={
          <>
            {provider.about}{' '}
            <a href={`/docs/${provider.guide}`} target="_blank" rel="noreferrer">
              What to click
            </a>
          </>
        }
      />
      <TextField
        key={id}
        name="name"
        label="Name"
        defaultValue={provider.id === 'other' ? '' : provider.name}
        required
        maxLength={100}
        help="People see it when they sign in."
      />
      <ClientFields key={`client ${id}`} provider={provider} />
    </FormDialog>
  );
}

// The first steps of a set-up: which provider it is, and the client that is registered there.
import { createConnection } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '../../../api/write.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { SelectField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { ClientFields, readClient } from './client-fields.tsx';
import { clientWords, connectionProblems, pageWords, providers } from './messages.ts';

type Props = { partner: string; onClose: () => void };

export function AddConnection({ partner, onClose }: Props) {
  const navigate = useNavigate();
  const [id, setId] = useState(providers[0].id);
  const provider = providers.find((each) => each.id === id) ?? providers[0];
  return (
    <Dialog title={pageWords.add} onClose={onClose} staysOpen>
      <Form
        submit={pageWords.addSubmit}
        explain={connectionProblems}
        onSubmit={async (values) => {
          const body = { name: values.text('name'), ...readClient(values) };
          const made = await write((client) => createConnection({ client, path: { id: partner }, body }), {
            done: pageWords.added(body.name),
          });
          onClose();
          await navigate({
            to: '/p/$partner/single-sign-on/$connection',
            params: { partner, connection: made.id },
          });
        }}
      >
        <SelectField
          name="provider"
          label={pageWords.provider}
          value={id}
          onChange={(event) => setId(event.target.value)}
          options={providers.map(({ id: value, name: label }) => ({ value, label }))}
          help={
            <>
              {provider.about}{' '}
              <a href={`/docs/${provider.guide}`} target="_blank" rel="noreferrer">
                {pageWords.toClick}
              </a>
            </>
          }
        />
        <TextField
          key={id}
          name="name"
          label={clientWords.name}
          defaultValue={provider.id === 'other' ? '' : provider.name}
          required
          maxLength={100}
          help={pageWords.nameHelp}
        />
        <ClientFields key={`client ${id}`} provider={provider} />
      </Form>
    </Dialog>
  );
}

// Changes the name, the provider and the client of a connection.
import type { IdentityConnection } from '@concord/client';
import type { Answer } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { TextField } from '#ui/form/field.tsx';
import { ClientFields, readClient } from './client-fields.tsx';
import { connectionProblems, providerOf } from './messages.ts';
import { saveConnection } from './save-connection.ts';

type Props = { opened: Answer<IdentityConnection>; onClose: () => void };

export function ChangeConnection({ opened, onClose }: Props) {
  const partner = usePartner();
  const { name, issuer, enabled } = opened.data;
  return (
    <FormDialog
      title={`Change ${name}`}
      description={
        enabled
          ? 'Another issuer or client id turns the connection off until it is tested again. Then everybody signs in anew.'
          : 'Another issuer or client id has to be tested again.'
      }
      onClose={onClose}
      submit="Save the connection"
      explain={connectionProblems}
      onSubmit={async (values) => {
        const mine = { name: values.text('name'), ...readClient(values) };
        await saveConnection({ partner, opened, mine });
        onClose();
      }}
    >
      <TextField name="name" label="Name" defaultValue={name} required maxLength={100} autoFocus />
      <ClientFields provider={providerOf(issuer)} present={opened.data} />
    </FormDialog>
  );
}

// Changes the name, the provider and the client of a connection.
import type { IdentityConnection } from '@concord/client';
import type { Answer } from '../../../api/read.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useConflict } from '../../../ui/dialog/use-conflict.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { ClientFields, readClient } from './client-fields.tsx';
import { clientWords, connectionProblems, connectionWords, providerOf } from './messages.ts';
import { saveConnection } from './save-connection.ts';

type Props = { partner: string; opened: Answer<IdentityConnection>; onClose: () => void };

export function ChangeConnection({ partner, opened, onClose }: Props) {
  const conflict = useConflict(connectionWords.conflict);
  const { name, issuer, enabled } = opened.data;
  return (
    <Dialog
      title={connectionWords.changeTitle(name)}
      description={enabled ? connectionWords.changeOn : connectionWords.changeOff}
      onClose={onClose}
      staysOpen
    >
      <Form
        submit={connectionWords.save}
        explain={connectionProblems}
        onSubmit={async (values) => {
          const mine = { name: values.text('name'), ...readClient(values) };
          await saveConnection({ partner, opened, mine, ask: conflict.ask });
          onClose();
        }}
      >
        <TextField
          name="name"
          label={clientWords.name}
          defaultValue={name}
          required
          maxLength={100}
          autoFocus
        />
        <ClientFields provider={providerOf(issuer)} present={opened.data} />
      </Form>
      {conflict.dialog}
    </Dialog>
  );
}

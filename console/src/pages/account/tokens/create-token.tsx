// Creates an access token.
import { type CreatedAccessToken, createAccessToken } from '@concord/client';
import { write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useTokenTerms } from './token-terms.tsx';

type Props = { onClose: () => void; onCreated: (token: CreatedAccessToken) => void };

export function CreateToken({ onClose, onCreated }: Props) {
  const { fields, read } = useTokenTerms({});
  return (
    <Dialog title="Create an access token" onClose={onClose} isWide staysOpen>
      <Form
        submit="Create the token"
        isWide
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={async (values) =>
          onCreated(await write((client) => createAccessToken({ client, body: read(values) })))
        }
      >
        {fields}
      </Form>
    </Dialog>
  );
}

// Creates an access token.
import { type CreatedAccessToken, createAccessToken } from '@concord/client';
import { write } from '#api/write.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { useTokenTerms } from './token-terms.tsx';

type Props = { onClose: () => void; onCreated: (token: CreatedAccessToken) => void };

export function CreateToken({ onClose, onCreated }: Props) {
  const { fields, read } = useTokenTerms({});
  return (
    <FormDialog
      title="Create an access token"
      onClose={onClose}
      isWide
      submit="Create the token"
      onSubmit={async (values) => onCreated(await write(createAccessToken, { body: read(values) }))}
    >
      {fields}
    </FormDialog>
  );
}

// The field for the name of a passkey.

import { passkeyWords } from '../../../messages/passkeys.ts';
import { TextField } from '../../../ui/form/field.tsx';

export const PasskeyName = ({ name }: { name: string }) => (
  <TextField
    name="name"
    label={passkeyWords.name}
    help={passkeyWords.nameHelp}
    defaultValue={name}
    maxLength={100}
    required
    autoFocus
  />
);

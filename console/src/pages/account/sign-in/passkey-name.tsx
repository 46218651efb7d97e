// The field for the name of a passkey.

import { TextField } from '#ui/form/field.tsx';

export const PasskeyName = ({ name }: { name: string }) => (
  <TextField
    name="name"
    label="Name"
    help="A name by which you recognize it."
    defaultValue={name}
    maxLength={100}
    required
    autoFocus
  />
);

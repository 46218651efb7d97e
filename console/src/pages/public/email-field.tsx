// The address of an account.
import type { ComponentProps } from 'react';
import { TextField } from '#ui/form/field.tsx';

type Props = Omit<ComponentProps<typeof TextField>, 'name' | 'label' | 'type'>;
export const EmailField = ({ autoComplete = 'username', ...rest }: Props) => (
  <TextField
    {...rest}
    name="email"
    label="E-mail address"
    type="email"
    autoComplete={autoComplete}
    required={!rest.readOnly}
  />
);

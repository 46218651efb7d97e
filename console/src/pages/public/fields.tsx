// The fields that several public pages have.
import type { ComponentProps } from 'react';
import { PasswordField, TextField } from '#ui/form/field.tsx';

type EmailProps = Omit<ComponentProps<typeof TextField>, 'name' | 'label' | 'type'>;
export const EmailField = ({ autoComplete = 'username', ...rest }: EmailProps) => (
  <TextField
    {...rest}
    name="email"
    label="E-mail address"
    type="email"
    autoComplete={autoComplete}
    required={!rest.readOnly}
  />
);

type PasswordProps = Partial<Pick<ComponentProps<typeof PasswordField>, 'name' | 'label' | 'autoFocus'>>;
/** A password that is chosen. */
export const NewPasswordField = ({ name = 'password', label = 'Password', ...rest }: PasswordProps) => (
  <PasswordField
    {...rest}
    name={name}
    label={label}
    help="12 to 128 characters. Several words in a row are hard to guess and easy to remember."
    minLength={12}
    isNew
    required
  />
);

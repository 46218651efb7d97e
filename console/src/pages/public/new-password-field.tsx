// A password that is chosen.
import type { ComponentProps } from 'react';
import { PasswordField } from '#ui/form/field.tsx';

type Props = Partial<Pick<ComponentProps<typeof PasswordField>, 'name' | 'label' | 'autoFocus'>>;
export const NewPasswordField = ({ name = 'password', label = 'Password', ...rest }: Props) => (
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

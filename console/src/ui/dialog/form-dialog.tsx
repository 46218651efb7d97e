// A dialog that is one form. It stays when somebody clicks beside it.
import type { ComponentProps } from 'react';
import { Button } from '../button.tsx';
import { Form } from '../form/form.tsx';
import { Dialog } from './dialog.tsx';

type Props = Omit<ComponentProps<typeof Dialog>, 'staysOpen'> & Omit<ComponentProps<typeof Form>, 'beside'>;

/** Its form closes it, with `onClose`, when what it sent has worked. */
export function FormDialog({ title, description, onClose, isWide = false, ...form }: Props) {
  return (
    <Dialog title={title} description={description} onClose={onClose} isWide={isWide} staysOpen>
      <Form {...form} isWide={isWide} beside={<Button onClick={onClose}>Cancel</Button>} />
    </Dialog>
  );
}
